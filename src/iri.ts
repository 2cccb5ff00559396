/** Web addresses and URNs as IRIs. */

/** RFC 3987 §2.2: `iunreserved`, `reserved`, and the percent sign of an encoded byte. Characters for private use are not among them. */
const UCSCHAR =
  "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}" +
  Array.from({ length: 14 }, (_, plane) => {
    const from = plane + 1;
    return `\\u{${from.toString(16)}${from === 14 ? "1000" : "0000"}}-\\u{${from.toString(16)}FFFD}`;
  }).join("");
/** Also blanks beyond ASCII, which RFC 3987 allows and some readers of JSON-LD do not. */
const UNFIT = new RegExp(`\\s|%(?![0-9A-Fa-f]{2})|[^!#$%&'()*+,\\-./:;=?@A-Z\\[\\]_a-z~\\d${UCSCHAR}]`, "gu");

/** Scheme, authority, path with query, fragment. */
const PARTS = /^(?:(https?:\/\/)([^/?#]+)|(urn:)(?=[a-z\d]))([^#]*)(#.*)?$/i;
/** RFC 3987 §2.2, `iauthority`; `URL` checks the address in brackets. */
const AUTHORITY = /^(?:[^@[\]]*@)?(?:\[[\da-f:.]+\]|[^:@[\]]+)(?::\d*)?$/i;

/** A web address or URN as an IRI (RFC 3987), with all other characters percent-encoded; null if it is not one. */
export function asIri(address: string): string | null {
  const encoded = address.trim().replace(UNFIT, encodeURIComponent);
  const [, web, authority = "", urn, rest = "", fragment = ""] = PARTS.exec(encoded) ?? [];
  const scheme = web ?? urn;
  if (scheme === undefined || (web !== undefined && !AUTHORITY.test(authority))) return null;
  const iri = `${scheme}${authority}${encodedIn(rest, /[[\]]/g)}${fragment && `#${encodedIn(fragment.slice(1), /[[\]#]/g)}`}`;
  return URL.canParse(iri) ? iri : null;
}

const encodedIn = (part: string, signs: RegExp): string => part.replace(signs, encodeURIComponent);
