/** Language tags (BCP 47). */
import { type Said, said } from "./messages/said.ts";
import { beginning } from "./text.ts";

/** The grammar allows up to eight letters, but no such language is registered: `german` is a mistake. */
const LANGUAGE = "[a-z]{2,3}(?:-[a-z]{3}){0,3}";
const SCRIPT = "(?:-[a-z]{4})?";
const REGION = "(?:-(?:[a-z]{2}|\\d{3}))?";
const VARIANTS = "(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*";
const EXTENSIONS = "(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*";
const PRIVATE = "x(?:-[a-z\\d]{1,8})+";
/** Old tags that do not follow the rules above (RFC 5646 §2.2.8); the regular old ones do. */
const IRREGULAR =
  "en-gb-oed|sgn-(?:be-(?:fr|nl)|ch-de)|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)";

/** The grammar of RFC 5646 §2.1. */
const TAG = new RegExp(
  `^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE}|${IRREGULAR})$`,
  "i",
);
/** Characters. RFC 5646 §4.4.1 recommends allowing for 35. */
const LONGEST = 60;

/** Whether strict readers of RDF and XML accept the text as a language tag. The language need not be registered. */
export const isLanguageTag = (text: string): boolean =>
  text.length <= LONGEST && TAG.test(text) && !hasRepetition(text);

/** No variant and no singleton may appear twice (§§2.2.5, 2.2.6). */
function hasRepetition(tag: string): boolean {
  const subtags = tag
    .toLowerCase()
    .replace(/(^|-)x-.*/, "")
    .split("-");
  const extensions = subtags.findIndex(({ length }) => length === 1);
  const variants = subtags
    .slice(1, extensions < 0 ? undefined : extensions)
    .filter(({ length }) => length > 3);
  const once = [...variants, ...subtags.filter(({ length }) => length === 1)];
  return new Set(once).size < once.length;
}

/** Why a text is refused as a language tag. */
export const noLanguageTag = (text: string): Said =>
  said("fault.language_tag_of", { value: beginning(text, 40) });
