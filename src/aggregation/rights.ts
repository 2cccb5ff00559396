/** Addresses of rights statements (https://rightsstatements.org) and Creative Commons licences, and those of an object. */
import { asIri } from "../iri.ts";
import { entriesBy } from "./named.ts";
import type { DeliveredView } from "./view.ts";

/** Works in JavaScript and PostgreSQL. Ignore case. */
export const STATEMENT =
  "^https?://(www\\.)?(creativecommons\\.org/(licenses|publicdomain)|rightsstatements\\.org/(vocab|page))/";

/** The addresses that Europeana accepts as `edm:rights` (from its schema, EDM-EXTERNAL-MAIN.xsd). */
export const EUROPEANA_STATEMENT =
  "^https?://(www\\.)?(creativecommons\\.org/(licenses/(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd|by-nd-nc)/" +
  "([1234]\\.0|2\\.[15])(/(igo|scotland|[a-z][a-z]))?|publicdomain/(zero|mark)/1\\.0)|" +
  "rightsstatements\\.org/(vocab|page)/(NoC-NC|NoC-OKLR|InC|InC-EDU|InC-OW-EU|CNE)/1\\.0)" +
  "(/(deed|legalcode)(\\.[a-z-]+)?)?/?$";

const KNOWN = new RegExp(STATEMENT, "i");

/** The official URI of a statement or licence; null for other texts. */
export function rightsUri(value: string): string | null {
  const address = value.trim();
  if (!KNOWN.test(address) || /[\s<>"{}|\\^`]/.test(address)) return null;
  const uri = address
    .replace(/^https?:\/\/(?:www\.)?([^/]+)/i, (_, host: string) => `http://${host.toLowerCase()}`)
    .replace(/[?#].*$/, "")
    .replace(/\/(?:deed|legalcode)(?:\.[a-z-]+)?\/?$/i, "/")
    .replace("rightsstatements.org/page/", "rightsstatements.org/vocab/");
  return asIri(uri.endsWith("/") ? uri : `${uri}/`);
}

/** The object's own rights statement or licence; null if it has none with a standard address. */
export function statementOf(view: DeliveredView): string | null {
  const values = entriesBy(view, view.record.row, "right").map(({ value }) => rightsUri(value));
  return values.find((uri) => uri !== null) ?? null;
}

/** The delivered rights of an object: the licence of its first file, else its own statement. */
export const deliveredRights = (view: DeliveredView): string | null =>
  rightsUri(view.record.media[0]?.license_uri ?? "") ?? statementOf(view);
