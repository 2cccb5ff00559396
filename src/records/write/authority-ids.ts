/** Values of `authority` fields: an address, or an identifier in the format of its authority. */
import { type Said, said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { beginning } from "../../text.ts";

type Authority = {
  form: RegExp;
  example: string;
  /** The prefix and suffix of its IRIs in linked data. */
  iri: readonly [string, string];
  /** Addresses of its web pages. */
  address: RegExp;
};

/** By the field's name, or the part after its last `_`: `gnd`, `maker_gnd`. Check digits are not verified. */
const AUTHORITIES = new Map<string, Authority>([
  [
    "gnd",
    {
      form: /^[1-9]\d{0,8}-?[\dX]$/,
      example: "118540238",
      iri: ["https://d-nb.info/gnd/", ""],
      address: /^https?:\/\/d-nb\.info\/gnd\/([\dX-]+)\/?$/,
    },
  ],
  [
    "geonames",
    {
      form: /^[1-9]\d{0,9}$/,
      example: "2988507",
      iri: ["https://sws.geonames.org/", "/"],
      address: /^https?:\/\/(?:sws\.|www\.)?geonames\.org\/(\d+)(?:\/[^?#]*)?$/,
    },
  ],
  ["tgn", getty("tgn", /^[1-9]\d{6}$/, "7006952")],
  ["ulan", getty("ulan", /^500\d{6}$/, "500115588")],
  [
    "viaf",
    {
      form: /^[1-9]\d{0,21}$/,
      example: "24602065",
      iri: ["http://viaf.org/viaf/", ""],
      address: /^https?:\/\/(?:www\.)?viaf\.org\/(?:[a-z]{2}\/)?viaf\/(\d+)\/?(?:#.*)?$/,
    },
  ],
  [
    "wikidata",
    {
      form: /^Q[1-9]\d{0,11}$/,
      example: "Q5582",
      iri: ["http://www.wikidata.org/entity/", ""],
      address: /^https?:\/\/(?:www\.)?wikidata\.org\/(?:wiki|entity)\/(Q\d+)$/,
    },
  ],
]);

function getty(name: string, form: RegExp, example: string): Authority {
  const address = new RegExp(`^https?://vocab\\.getty\\.edu/(?:page/)?${name}/(\\d+)$`);
  return { form, example, iri: [`http://vocab.getty.edu/${name}/`, ""], address };
}

const ADDRESS = /^https?:\/\/[^\s<>"{}|\\^`\p{Cc}]+$/iu;
const PREFIXED = /^(?<scheme>[a-z][a-z0-9+.-]{0,30}):(?<id>[^\s<>"{}|\\^`\p{Cc}]+)$/iu;

/** Why a field of this name cannot hold the value; null when it can. */
export function authorityFault(field: string, value: string): Said | null {
  if (ADDRESS.test(value) && URL.canParse(value)) return null;
  const shown = beginning(value, 80);
  const own = field.slice(field.lastIndexOf("_") + 1);
  const { scheme = "", id = "" } = PREFIXED.exec(value)?.groups ?? {};
  const prefix = scheme.toLowerCase();
  const name = [own, prefix].find((each) => AUTHORITIES.has(each));
  if (name !== undefined) {
    const { form, example } = AUTHORITIES.get(name)!;
    if (form.test(name === own && prefix !== own ? value : id)) return null;
    const authority = said(`authorityFile.${name}` as MessageKey);
    return said("fault.value.authority", { value: shown, authority, example });
  }
  if (scheme !== "" && !/^https?$/.test(prefix)) return null;
  return said("fault.value.identifier", { value: shown });
}

/**
 * The IRI of a value in linked data: the authority's own IRI, also for the address of its web page; any other address
 * unchanged. Null for an identifier of an unknown authority.
 */
export function authorityIri(field: string, value: string): string | null {
  for (const { iri, address } of AUTHORITIES.values()) {
    const id = address.exec(value)?.[1];
    if (id) return iri[0] + id + iri[1];
  }
  if (/^https?:/i.test(value)) return value;
  const own = AUTHORITIES.get(field.slice(field.lastIndexOf("_") + 1));
  if (own?.form.test(value)) return own.iri[0] + value + own.iri[1];
  const { scheme = "", id = "" } = PREFIXED.exec(value)?.groups ?? {};
  const named = AUTHORITIES.get(scheme.toLowerCase());
  return named?.form.test(id) ? named.iri[0] + id + named.iri[1] : null;
}

/**
 * For an address of one of these authorities: the authority, the IRI, and every spelling in which a field may hold
 * this identifier. Null for any other address.
 */
export function knownAuthority(address: string): { authority: string; iri: string; forms: string[] } | null {
  for (const [authority, { iri, address: known }] of AUTHORITIES) {
    const id = known.exec(address)?.[1];
    if (!id) continue;
    const own = iri[0] + id + iri[1];
    const other = own.startsWith("https:") ? own.replace(/^https/, "http") : own.replace(/^http/, "https");
    return { authority, iri: own, forms: [...new Set([own, other, address, id, `${authority}:${id}`])] };
  }
  return null;
}

/** The same for a value of a field, whether it is an address or an identifier. */
export const authorityOf = (field: string, value: string): ReturnType<typeof knownAuthority> =>
  knownAuthority(value) ?? knownAuthority(authorityIri(field, value) ?? "");
