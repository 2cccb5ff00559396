/** GetRecord and ListMetadataFormats (OAI-PMH §§4.1, 4.4): requests for one record. */

import { VERSION } from "../config/version.ts";
import { DELIVERY_FORMATS } from "../formats/delivery.ts";
import { viewsOf } from "../formats/view.ts";
import { textTag } from "../http/answer/caching.ts";
import { type PublicDate, publicDateOf, settledUntil } from "../records/public/dates.ts";
import type { Services } from "../services.ts";
import { element } from "../xml.ts";
import { type Answer, once } from "./answer.ts";
import { Fault } from "./fault.ts";
import { readIdentifier } from "./identifier.ts";
import { formatNamed } from "./lists.ts";
import { recordXml } from "./record.ts";

export async function record(
  services: Services,
  { identifier, prefix }: { identifier: string; prefix: string },
): Promise<Answer> {
  const settled = await settledUntil(services.sql);
  const date = await demandDate(services, identifier);
  const format = formatNamed(prefix);
  if (!format.kinds.includes(date.record_type))
    throw new Fault("cannotDisseminateFormat", `${identifier} is not available as ${prefix}`);
  const [view] = await viewsOf(services, [date.id]);
  const xml = recordXml(services.config.baseUrl, format, date, view);
  return { tag: await textTag(xml.text), date: settled, content: once(xml) };
}

export async function metadataFormats(services: Services, identifier: string | undefined): Promise<Answer> {
  const settled = await settledUntil(services.sql);
  const date = identifier === undefined ? null : await demandDate(services, identifier);
  const formats = DELIVERY_FORMATS.filter(
    ({ kinds }) => date === null || (!date.withdrawn && kinds.includes(date.record_type)),
  );
  if (formats.length === 0) throw new Fault("noMetadataFormats", `${identifier} is deleted`);
  const content = formats.map(({ prefix, schema, namespace }) =>
    element(
      "metadataFormat",
      {},
      element("metadataPrefix", {}, prefix),
      element("schema", {}, schema),
      element("metadataNamespace", {}, namespace),
    ),
  );
  return {
    tag: await textTag(JSON.stringify([VERSION, content.map(({ text }) => text)])),
    date: settled,
    content: once(...content),
  };
}

async function demandDate({ sql, config }: Services, identifier: string): Promise<PublicDate> {
  const named = readIdentifier(config.baseUrl, identifier);
  const date = named && (await publicDateOf(sql, named.kind, named.id));
  if (!date) throw new Fault("idDoesNotExist", `There is no ${identifier} here`);
  return date;
}
