/** Identify and ListSets (OAI-PMH §§4.2, 4.6): the repository and its sets. */

import { VISITOR } from "../caller.ts";
import { collectionSet } from "../formats/harvest-sets.ts";
import { textTag } from "../http/answer/caching.ts";
import { kinds, PUBLIC_KINDS } from "../records/kinds.ts";
import { earliestPublicDate, settledUntil } from "../records/public/dates.ts";
import { currentSchema, fieldsOf, type Labels } from "../records/schema.ts";
import { maySeeField, visibleTo } from "../records/visibility.ts";
import type { Services, Sql } from "../services.ts";
import { settingsOf } from "../settings/settings.ts";
import { element, type Xml } from "../xml.ts";
import { type Answer, once } from "./answer.ts";
import { hostOf, identifierOf } from "./identifier.ts";
import { PAGE, tokenXml } from "./lists.ts";
import { type SetsToken, tokenText } from "./token.ts";

/** In English if available, otherwise any language. */
function bestOf(labels: Labels): string | undefined {
  return labels.en ?? Object.values(labels)[0];
}

export async function identity(services: Services): Promise<Answer> {
  const { sql, config } = services;
  const { baseUrl, oaiAdminEmail } = config;
  const date = await settledUntil(sql);
  const { name } = await settingsOf(services);
  const content = [
    element("repositoryName", {}, bestOf(name) ?? hostOf(baseUrl)),
    element("baseURL", {}, `${baseUrl}/oai`),
    element("protocolVersion", {}, "2.0"),
    element("adminEmail", {}, oaiAdminEmail),
    element("earliestDatestamp", {}, (await earliestPublicDate(sql)) ?? date),
    element("deletedRecord", {}, "persistent"),
    element("granularity", {}, "YYYY-MM-DDThh:mm:ssZ"),
    element("compression", {}, "gzip"),
    ...descriptionOf(baseUrl),
  ];
  return { tag: await tagOf(content), date, content: once(...content) };
}

const OAI_IDENTIFIER = {
  xmlns: "http://www.openarchives.org/OAI/2.0/oai-identifier",
  "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
  "xsi:schemaLocation":
    "http://www.openarchives.org/OAI/2.0/oai-identifier http://www.openarchives.org/OAI/2.0/oai-identifier.xsd",
};
/** The scheme requires a domain as repository name, so neither `localhost` nor an IP address. */
const DOMAIN = /^[a-z][a-z\d-]*(\.[a-z][a-z\d-]*)+$/i;
const SAMPLE = "00000000-0000-7000-8000-000000000000";

function descriptionOf(baseUrl: string): Xml[] {
  const host = hostOf(baseUrl);
  if (!DOMAIN.test(host)) return [];
  const parts = [
    element("scheme", {}, "oai"),
    element("repositoryIdentifier", {}, host),
    element("delimiter", {}, ":"),
    element("sampleIdentifier", {}, identifierOf(baseUrl, "object", SAMPLE)),
  ];
  return [element("description", {}, element("oai-identifier", OAI_IDENTIFIER, parts))];
}

/** Types of record and the installation's own sets on the first page, then collections in the order of their ids. */
export async function sets(services: Services, resumed: SetsToken | null): Promise<Answer> {
  const { sql } = services;
  const date = await settledUntil(sql);
  const fixed = await fixedSets(services);
  const found = await publicCollections(sql, resumed?.after ?? null);
  const page = found.slice(0, PAGE);
  const isLast = found.length === page.length;
  const shown = [...(resumed ? [] : fixed), ...page].map(({ spec, name }) =>
    element("set", {}, element("setSpec", {}, spec), element("setName", {}, name)),
  );
  const size = resumed?.size ?? (isLast ? shown.length : fixed.length + (await countCollections(sql)));
  const cursor = resumed?.cursor ?? 0;
  const next = isLast
    ? null
    : tokenText({ verb: "ListSets", after: page.at(-1)!.id, size, cursor: cursor + shown.length });
  const content = resumed || next ? [...shown, tokenXml(next, size, cursor)] : shown;
  return { tag: await tagOf(content), date, content: once(...content) };
}

async function fixedSets(services: Services): Promise<{ spec: string; name: string }[]> {
  const { harvest_sets } = await settingsOf(services);
  return [
    ...PUBLIC_KINDS.map((kind) => ({
      spec: kind,
      name: kinds[kind].plural,
    })),
    ...harvest_sets.map(({ spec, label }) => ({ spec, name: bestOf(label) ?? spec })),
  ];
}

/** One more than a page. */
async function publicCollections(
  sql: Sql,
  after: string | null,
): Promise<{ id: string; spec: string; name: string }[]> {
  const field = fieldsOf(await currentSchema(sql), "collection").get(kinds.collection.titleField);
  const isNamed = field !== undefined && maySeeField(VISITOR, field);
  const rows = await sql<{ id: string; idno: string; title: string }[]>`
    select r.id, r.idno, r.title from records r
    where r.record_type = 'collection' and ${visibleTo(sql, VISITOR)}
      ${after === null ? sql`` : sql`and r.id > ${after}`}
    order by r.id limit ${PAGE + 1}`;
  return rows.map(({ id, idno, title }) => ({ id, spec: collectionSet(id), name: isNamed ? title : idno }));
}

async function countCollections(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records r where r.record_type = 'collection' and ${visibleTo(sql, VISITOR)}`;
  return row!.n;
}

const tagOf = (content: readonly Xml[]): Promise<string> => textTag(content.map(({ text }) => text).join(""));
