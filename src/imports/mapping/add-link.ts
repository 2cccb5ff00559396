/** Adds the link that a name in a row gives. */
import type { Said } from "../../messages/said.ts";
import { kinds } from "../../records/kinds.ts";
import { MADE_BY } from "../../records/links/attributions.ts";
import type { Entry, Metadata } from "../../records/record.ts";
import { nameKey } from "../../text.ts";
import { describedBy, type Part } from "../csv/parallel-columns.ts";
import { isFirm } from "./firms.ts";
import type { MappedRow, ReadName } from "./mapped-row.ts";
import type { ColumnMapping } from "./mapping.ts";
import { attributedIn } from "./written-attributions.ts";
import { lifeIn } from "./written-lives.ts";
import { nobodyIn } from "./written-names.ts";

type Scope = Omit<Extract<ColumnMapping["target"], { kind: "relation" }>, "kind">;
type Links = Map<string, MappedRow["relations"][number]>;

/**
 * Adds a link. If the row already has one to the same record, with the same relation type and qualifier, that link gets the
 * further roles. An empty part in a column of roles makes a link of its own. A name of nobody, such as "unknown", becomes a link
 * only if a record is called so (`save/unknown.ts`).
 */
export function addLink(
  mapped: MappedRow,
  links: Links,
  entry: ColumnMapping,
  scope: Scope,
  written: Part,
  fault: (detail: Said) => void,
): void {
  const part = withAttribution(entry, scope, written);
  const { roles, qualifier: qualifierWords } = part;
  const read = readName(entry, part);
  const isAttributed = part !== written && !read.isNobody;
  const taken = isAttributed
    ? { ...read.told, value: written.text, name: read.name, qualifier: qualifierWords! }
    : read.told;
  const told = taken && { column: entry.column, ...taken };
  if (told && !read.isNobody) {
    mapped.readNames ??= [];
    mapped.readNames.push(told);
  }
  const field = entry.names?.unknown;
  if (field) mapped.nobodyFields = { ...mapped.nobodyFields, [field]: scope.relation_type };
  const value = read.name;
  const described = describe(entry, { ...part, text: value }, scope, read, fault);
  const ends = `${scope.relation_type} ${scope.to_type} ${described?.key ?? ""} ${read.isNobody ?? ""}`;
  const key = `${ends}\n${qualifierWords ?? ""}\n${roles?.length === 0 ? "no role" : ""}\n${value}`;
  const known = links.get(key);
  const old: Entry[] = known?.metadata?.role ?? [];
  const fresh = (roles ?? []).filter((role) => !old.some((each) => each.value === role));
  const all = [...old, ...[...new Set(fresh)].map((role) => ({ value: role }))];
  const metadata = all.length > 0 || roles ? { metadata: { role: all } } : {};
  if (known) {
    Object.assign(known, metadata);
    if (told && read.isNobody) mapped.nobody?.find(({ link }) => link === known)?.reads.push(told);
    return;
  }
  const qualified = qualifierWords === undefined ? {} : { qualifierWords };
  const link = { ...scope, value, ...(described ? { described } : {}), ...metadata, ...qualified };
  links.set(key, link);
  if (!told || !read.isNobody) {
    mapped.relations.push(link);
    return;
  }
  mapped.nobody ??= [];
  mapped.nobody.push({ link, reads: [told], ...(read.isNobody === "unknown" && field ? { field } : {}) });
}

/** Words such as "attributed to" beside the name of a maker qualify the link, unless the row or the mapping says what is meant. */
function withAttribution({ names, same }: ColumnMapping, { relation_type }: Scope, part: Part): Part {
  const isMeant = part.qualifier !== undefined || same?.has(nameKey(part.text));
  const isRead = names && relation_type === MADE_BY && !isMeant;
  const found = isRead ? attributedIn(part.text) : null;
  return found ? { ...part, text: found.name, qualifier: found.qualifier } : part;
}

/**
 * `told`: for the report, if the name is not used as written. `beside`: fields of the linked record, read from the same cell.
 * `called`: the number or title by which an existing record may be found: the text as written, or what the mapping says it means.
 */
type Read = {
  told?: Omit<ReadName, "column">;
  name: string;
  beside: Metadata;
  called: string;
  isNobody?: "unknown" | "empty";
};

function readName({ names, same }: ColumnMapping, part: Part): Read {
  const { text, roles = [], qualifier = "", authority } = part;
  const whole = same?.get(nameKey(text));
  const nobody = names && whole === undefined && authority === undefined ? nobodyIn(text) : null;
  if (nobody) {
    const notes = [...roles, qualifier].filter((note) => note !== "").join(", ");
    const told = { value: notes === "" ? text : `${text} (${notes})` };
    return { name: text, beside: {}, called: text, isNobody: nobody, told };
  }
  const found = names && (names.ofFirm || !isFirm(text)) ? lifeIn(text, names.ofFirm) : null;
  const { name = text, ...life } = found ?? {};
  const beside: Metadata = {};
  for (const [what, value] of Object.entries(life)) {
    const field = names?.[what as keyof typeof life];
    // without a field, the date stays part of the name
    if (field === undefined)
      return {
        ...{ name: whole ?? text, beside: {}, called: whole ?? text },
        ...(whole ? { told: { value: text, name: whole } } : {}),
      };
    beside[field] = [{ value }];
  }
  const meant = whole ?? same?.get(nameKey(name)) ?? name;
  const called = meant === name && whole === undefined ? text : meant;
  return {
    name: meant,
    beside,
    called,
    ...(meant === text ? {} : { told: { value: text, name: meant, ...life } }),
  };
}

/** Describes a linked record that is found and created by more than its name. */
function describe(
  { authority, names }: ColumnMapping,
  part: Part,
  scope: Scope,
  { beside, called }: { beside: Metadata; called: string },
  fault: (detail: Said) => void,
): MappedRow["relations"][number]["described"] | null {
  const numbered = describedBy(authority, part, scope, fault);
  if (Object.keys(beside).length === 0) return numbered;
  const { to_type, subtype, match } = scope;
  const named = {
    key: `${nameKey(part.text, match)} ${JSON.stringify(beside)}`,
    ...(subtype === undefined ? {} : { subtype }),
    metadata: { [kinds[to_type].titleField]: [{ value: part.text }] },
  };
  const base = { ...(names?.person ? { subtype: names.person } : {}), ...(numbered ?? named) };
  return { ...base, called: [called], metadata: { ...base.metadata, ...beside } };
}
