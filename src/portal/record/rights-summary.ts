/**
 * The rights of an object, and those of its pictures: a photograph may be free although what it shows is protected. Of several
 * statements about the same thing, only the strictest are shown, so that none contradicts another.
 */
import { html } from "hono/html";
import { named } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Medium } from "../../records/media/medium.ts";
import { isPicture } from "../../records/media/pictures.ts";
import type { Entry } from "../../records/record.ts";
import { rightsIn } from "../../vocabularies/rights.ts";
import { mayDownload, type Openness, opennessOf, rightsAddress, rightsBadge } from "./rights.ts";
import { values } from "./values.ts";
import type { RecordView } from "./view.ts";

const STRICTEST_FIRST: readonly Openness[] = ["protected", "unclear", "licensed", "free"];

/** `differ`: some pictures have other rights, shown beside them. `isLimited`: the photograph or file is freer than the work in it. */
type Statement = {
  of: "object" | "pictures" | "both";
  addresses: readonly string[];
  differ: boolean;
  isLimited: boolean;
};

export type RightsSummary = {
  statements: readonly Statement[];
  /**
   * The rights of a picture, from its own licence (null: none), or null if most pictures have the same rights. `address` is null
   * if they are unknown.
   */
  exception(licence: string | null): { address: string | null; isLimited: boolean } | null;
  /** Whether a picture with this licence can be downloaded: its own rights and those of the object must permit it. */
  mayDownload(licence: string | null): boolean;
};

/**
 * @param own the rights of the object, as official addresses
 * @param licences of its pictures; one without a licence has the rights of the object
 */
export function summariseRights(own: readonly string[], licences: readonly (string | null)[]): RightsSummary {
  const strictest = STRICTEST_FIRST.find((openness) => own.some((one) => opennessOf(one) === openness));
  const object = [...new Set(own.filter((one) => opennessOf(one) === strictest))];
  const [inherited = null] = object;
  const common = mostFrequent(licences.map((licence) => licence ?? inherited));
  const isOpen = (address: string) => ["free", "licensed"].includes(opennessOf(address));
  const isLimited = (address: string) => inherited !== null && !isOpen(inherited) && isOpen(address);
  const differ = licences.some((licence) => (licence ?? inherited) !== common);
  const isOwn = common === null || object.includes(common);
  const ofObject: Statement = {
    ...{ of: isOwn && licences.length > 0 ? "both" : "object", addresses: object },
    ...{ differ: isOwn && differ, isLimited: false },
  };
  const ofPictures: Statement[] = isOwn
    ? []
    : [{ of: "pictures", addresses: [common], differ, isLimited: isLimited(common) }];
  return {
    statements: [...(object.length > 0 ? [ofObject] : []), ...ofPictures],
    exception(licence) {
      const address = licence ?? inherited;
      if (address === common) return null;
      return { address, isLimited: address !== null && isLimited(address) };
    },
    mayDownload(licence) {
      const bars = strictest === "protected" ? object : [];
      return [licence ?? inherited ?? undefined, ...bars].every(mayDownload);
    },
  };
}

function mostFrequent<T>(all: readonly T[]): T | null {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

export const licenceOf = ({ license_uri }: Medium): string | null => rightsAddress(license_uri ?? "");

/** `official`: addresses that the program knows. `others`: what the museum wrote in other words. */
function rightsFieldOf(record: RecordView) {
  const shown = record.fields.find(({ field }) => field.name === "rights");
  const isOfficial = ({ value }: Entry) => rightsIn(value) !== null;
  return {
    official: shown?.entries.flatMap(({ value }) => rightsIn(value)?.uri ?? []) ?? [],
    others: shown ? [{ ...shown, entries: shown.entries.filter((entry) => !isOfficial(entry)) }] : [],
  };
}

/** The rights of a record, and of the media that its page shows. */
export const rightsSummary = (record: RecordView): RightsSummary =>
  summariseRights(rightsFieldOf(record).official, record.media.map(licenceOf));

/** The addresses of the record's own rights, as on its page: first those that the program knows. */
export function rightsOf(record: RecordView): string[] {
  const { official, others } = rightsFieldOf(record);
  const [own] = summariseRights(official, []).statements;
  const written = others.flatMap(({ entries }) => entries.flatMap(({ value }) => rightsAddress(value) ?? []));
  return [...(own?.addresses ?? []), ...written];
}

/** Each statement once, under a heading that names what it is about. */
export function rightsSection(view: View, record: RecordView, { statements }: RightsSummary): Html {
  const { t } = view;
  const [names, only] = record.media.every(isPicture)
    ? (["pictures", "photograph"] as const)
    : (["files", "file"] as const);
  const others = rightsFieldOf(record).others.filter(({ entries }) => entries.length > 0);
  return html`${statements.map(
    ({ of, addresses, differ, isLimited }) => html`
      ${of === "object" && statements.length === 1 ? "" : html`<h3>${t(of === "object" ? "rights.of.object" : `rights.of.${of}.${names}`)}${differ ? html` (${t("rights.differ")})` : ""}</h3>`}
      ${addresses.map((address) => rightsBadge(view, address, record.rightsNames, isLimited ? only : null))}`,
  )}${others.map(({ field, entries }) => values(view, field, entries))}`;
}

/** The rights beside a picture, if they differ from those of most pictures. */
export function exceptionTo(
  view: View,
  record: RecordView,
  summary: RightsSummary,
  medium: Medium,
): Html | null {
  const exception = summary.exception(licenceOf(medium));
  if (exception === null) return null;
  const { address, isLimited } = exception;
  if (address === null) return html`${view.t("rights.unclear")}`;
  const name = named(view, record.rightsNames.get(address) ?? { value: address });
  return html`<a href="${address}" rel="license noopener nofollow">${name}</a>${isLimited ? html` (${view.t(isPicture(medium) ? "rights.photograph" : "rights.file")})` : ""}`;
}
