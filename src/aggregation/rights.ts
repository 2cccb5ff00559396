/** Addresses of rights statements (https://rightsstatements.org) and Creative Commons licences. */

/** Also for PostgreSQL: both read these patterns alike. Case does not count. */
export const STATEMENT =
  "^https?://(www\\.)?(creativecommons\\.org/(licenses|publicdomain)|rightsstatements\\.org/(vocab|page))/";

/** What Europeana takes as `edm:rights` (the patterns of its schema, EDM-EXTERNAL-MAIN.xsd). */
export const EUROPEANA_STATEMENT =
  "^https?://(www\\.)?(creativecommons\\.org/(licenses/(by|by-sa|by-nd|by-nc|by-nc-sa|by-nc-nd|by-nd-nc)/" +
  "([1234]\\.0|2\\.[15])(/(igo|scotland|[a-z][a-z]))?|publicdomain/(zero|mark)/1\\.0)|" +
  "rightsstatements\\.org/(vocab|page)/(NoC-NC|NoC-OKLR|InC|InC-EDU|InC-OW-EU|CNE)/1\\.0)" +
  "(/(deed|legalcode)(\\.[a-z-]+)?)?/?$";

const KNOWN = new RegExp(STATEMENT, "i");

/** The URI of a statement or licence as rightsstatements.org and Creative Commons publish it; null for anything else. */
export function rightsUri(value: string): string | null {
  const address = value.trim();
  if (!KNOWN.test(address) || /[\s<>"{}|\\^`]/.test(address)) return null;
  const uri = address
    .replace(/^https?:\/\/(?:www\.)?([^/]+)/i, (_, host: string) => `http://${host.toLowerCase()}`)
    .replace(/[?#].*$/, "")
    .replace(/\/(?:deed|legalcode)(?:\.[a-z-]+)?\/?$/i, "/")
    .replace("rightsstatements.org/page/", "rightsstatements.org/vocab/");
  return uri.endsWith("/") ? uri : `${uri}/`;
}
