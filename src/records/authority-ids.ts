/** What an `authority` field holds: an address, or an identifier in the form of its authority. */

/** By the field's name, or what stands after its last `_`: `gnd`, `maker_gnd`. Forms, not check digits. */
const AUTHORITIES = new Map<string, { title: string; form: RegExp; example: string }>([
  ["gnd", { title: "GND number", form: /^[1-9]\d{0,8}-?[\dX]$/, example: "118540238" }],
  ["geonames", { title: "GeoNames number", form: /^[1-9]\d{0,9}$/, example: "2988507" }],
  ["tgn", { title: "TGN number", form: /^[1-9]\d{6}$/, example: "7006952" }],
  ["ulan", { title: "ULAN number", form: /^500\d{6}$/, example: "500115588" }],
  ["viaf", { title: "VIAF number", form: /^[1-9]\d{0,21}$/, example: "24602065" }],
  ["wikidata", { title: "Wikidata item", form: /^Q[1-9]\d{0,11}$/, example: "Q5582" }],
]);

const ADDRESS = /^https?:\/\/[^\s<>"{}|\\^`\p{Cc}]+$/iu;
const PREFIXED = /^(?<scheme>[a-z][a-z0-9+.-]{0,30}):(?<id>[^\s<>"{}|\\^`\p{Cc}]+)$/iu;

/** Why a field of this name cannot hold the value; null when it can. */
export function authorityFault(field: string, value: string): string | null {
  if (ADDRESS.test(value) && URL.canParse(value)) return null;
  const shown = JSON.stringify(value.slice(0, 80));
  const own = field.slice(field.lastIndexOf("_") + 1);
  const { scheme = "", id = "" } = PREFIXED.exec(value)?.groups ?? {};
  const prefix = scheme.toLowerCase();
  const authority = AUTHORITIES.get(own) ?? AUTHORITIES.get(prefix);
  if (authority) {
    if (authority.form.test(AUTHORITIES.get(own) && prefix !== own ? value : id)) return null;
    return `${shown} is no ${authority.title}, for example ${authority.example}, and no http or https address`;
  }
  if (scheme !== "" && !/^https?$/.test(prefix)) return null;
  return `${shown} is no http or https address and no identifier with its scheme, for example isil:DE-1`;
}
