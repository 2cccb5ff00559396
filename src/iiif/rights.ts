/** The addresses of licences and rights statements as IIIF requires them (Presentation API 3.0 §3.2, Image API 3.0 §5.6). */
import { asIri } from "../iri.ts";

const KNOWN =
  /^https?:\/\/(?:www\.)?(creativecommons\.org\/(?:licenses|publicdomain)|rightsstatements\.org\/(?:vocab|page))\/(\S+)$/;

/**
 * With `http:`, which is part of the official identifiers; null for any other address, which IIIF does not allow as
 * `rights`.
 */
export function iiifRights(address: string): string | null {
  const [, place, rest] = KNOWN.exec(address) ?? [];
  if (place === undefined || rest === undefined) return null;
  // `page` is for people, and has their language behind it
  const isStatement = place.startsWith("rightsstatements");
  return asIri(
    isStatement
      ? `http://rightsstatements.org/vocab/${rest.replace(/\?.*$/, "")}`
      : `http://${place}/${rest}`,
  );
}
