/**
 * ListRecords and ListIdentifiers (OAI-PMH §§4.3, 4.5): a hundred per page, in the order of ids. In the order of
 * dates, a record edited during the harvest would come twice, or only in the next harvest.
 */

import { VERSION } from "../config/version.ts";
import { DELIVERY_FORMATS, type DeliveryFormat } from "../formats/delivery.ts";
import { viewsOf } from "../formats/view.ts";
import { textTag } from "../http/answer/caching.ts";
import { isKind } from "../records/kinds.ts";
import {
  countPublicDates,
  type PublicDate,
  type PublicDatesQuery,
  publicDatesById,
  settledUntil,
} from "../records/public/dates.ts";
import type { Services } from "../services.ts";
import { element, type Xml } from "../xml.ts";
import type { Answer } from "./answer.ts";
import { Fault } from "./fault.ts";
import { headerXml, recordXml } from "./record.ts";
import type { OaiRequest } from "./request.ts";
import { type ListToken, tokenText } from "./token.ts";

export const PAGE = 100;
/** Records in memory at once; some have megabytes. */
const BATCH = 25;

type ListRequest = Extract<OaiRequest, { verb: "ListRecords" | "ListIdentifiers" }>;

/**
 * A list is in the order of ids, so each record comes once, in its state when its page is made. All pages give the
 * time of the first answer, so a harvester that continues from any of them misses nothing.
 */
export async function listed(services: Services, request: ListRequest): Promise<Answer> {
  const { sql } = services;
  const { verb, resumed } = request;
  const format = formatNamed(request.prefix);
  // before anything is read: later changes have a later date
  const begun = resumed?.begun ?? (await settledUntil(sql));
  const within = boundsOf(request, format);
  const found = await publicDatesById(sql, within, resumed?.after ?? null, PAGE + 1);
  if (found.length === 0) throw new Fault("noRecordsMatch", "No records match this request", begun);
  const page = found.slice(0, PAGE);
  const isLast = found.length === page.length;
  const size = resumed?.size ?? (isLast ? page.length : await countPublicDates(sql, within));
  const cursor = resumed?.cursor ?? 0;
  const { prefix, from, until, set } = request;
  const next: ListToken | null = isLast
    ? null
    : {
        ...{ verb, prefix, begun, size, from, until, set },
        after: page.at(-1)!.id,
        cursor: cursor + page.length,
      };
  const token = resumed || next ? tokenXml(next && tokenText(next), size, cursor) : null;
  return {
    tag: await textTag(JSON.stringify([VERSION, verb, prefix, page, isLast, size, cursor])),
    date: begun,
    content: verb === "ListRecords" ? records(services, format, page, token) : headers(services, page, token),
  };
}

export function formatNamed(prefix: string): DeliveryFormat {
  const format = DELIVERY_FORMATS.find((each) => each.prefix === prefix);
  if (format) return format;
  const known = DELIVERY_FORMATS.map((each) => each.prefix).join(", ");
  throw new Fault("cannotDisseminateFormat", `There is no format ${prefix}: ${known}`);
}

/** A set is a record type, or one stored with the records. */
function boundsOf({ from, until, set }: ListRequest, { kinds }: DeliveryFormat): PublicDatesQuery {
  return set !== undefined && isKind(set)
    ? { from, until, kinds: kinds.filter((kind) => kind === set) }
    : { from, until, kinds, set };
}

/** Empty on the last page of several (§3.5). */
export function tokenXml(text: string | null, size: number, cursor: number): Xml {
  return element("resumptionToken", { completeListSize: String(size), cursor: String(cursor) }, text);
}

async function* records(
  services: Services,
  format: DeliveryFormat,
  page: readonly PublicDate[],
  token: Xml | null,
): AsyncGenerator<string> {
  for (let at = 0; at < page.length; at += BATCH) {
    const part = page.slice(at, at + BATCH);
    const ids = part.flatMap(({ id, withdrawn }) => (withdrawn ? [] : [id]));
    const byId = new Map((await viewsOf(services, ids)).map((view) => [view.record.row.id, view]));
    // a record that was unpublished since its date was read is reported as deleted; it gets a new date at once
    for (const date of part) yield recordXml(services.config.baseUrl, format, date, byId.get(date.id)).text;
  }
  if (token) yield token.text;
}

async function* headers(
  { config }: Services,
  page: readonly PublicDate[],
  token: Xml | null,
): AsyncGenerator<string> {
  for (const date of page) yield headerXml(config.baseUrl, date, date.withdrawn).text;
  if (token) yield token.text;
}
