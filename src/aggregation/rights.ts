/** Addresses of rights statements and licences. */

const STATEMENT =
  /^https?:\/\/(?:www\.)?(creativecommons\.org\/(?:licenses|publicdomain)\/|rightsstatements\.org\/(?:vocab|page)\/)([^\s?#]*)/i;

/** The URI of a rightsstatements.org statement or a Creative Commons licence as both publish it; null for anything else. */
export function rightsUri(value: string): string | null {
  const found = STATEMENT.exec(value.trim());
  if (!found) return null;
  const path = found[2]!.replace(/\/(?:deed|legalcode)(?:\.[a-z-]+)?\/?$/i, "/");
  const address = `http://${found[1]!.toLowerCase().replace("/page/", "/vocab/")}${path}`;
  return address.endsWith("/") ? address : `${address}/`;
}
