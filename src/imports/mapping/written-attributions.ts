/** Reads words of an attribution beside the name of a maker: "attributed to Rembrandt", "navolger van Rembrandt", "Rubens (Werkstatt)". */
import { wordSet, wordsOf } from "../../text.ts";
import { attributionIn, SMALL } from "../attribution-words.ts";
import { isFirm } from "./firms.ts";
import { PARTNERS } from "./written-lives.ts";
import { LONGEST } from "./written-names.ts";

/** A name and a term of the vocabulary of attributions. */
type Attributed = { name: string; qualifier: string };

/** Words between an attribution and the maker. "attribuito da" leads to the scholar instead: "attribuito da Federico Zeri". */
const TO = wordSet("an to a al all alla ad au aux aan");
const BY = wordSet("by von de di da du van par door");
const OF = wordSet(
  "of the von vom des der de du di del dell della van het d nach apres after naar da dal dalla le la l el",
);
const LEADING: Readonly<Record<string, ReadonlySet<string>>> = {
  attributed_to: TO,
  formerly_attributed_to: TO,
  possibly: BY,
};
/** A single word directly behind these is not a name: "Attribution Uncertain". */
const NOUN = /^(?:attribution|zuschreibung|attribuzione|atribucion|toeschrijving)$/;
/** Firms have these words, and people: "Atelier van Lieshout", "Art Kane". They count in lower case and in brackets. */
const NAMES = /^(?:Art|Copia|Studio|Atelier|Bottega|Taller|Estudio|Cercle|C[ií]rculo|Kring|Kreis)(?!\p{L})/u;
const GAP = /\s*:\s*|\s+|(?<=\s[dl]|\sd[ae]ll)['’]/giu;
/** The attribution stands in the first words, if anywhere. */
const MOST_GAPS = 8;
const BEHIND = /^(.*\p{L}.*?)\s*(?:([([])([^()[\]\d?]+)[)\]]|[,;]\s*([^,;()[\]\d?]+))$/u;
const PARTICLE = "(?:d['’]|(?:da|de|den|der|di|du|le|la|ten|ter|van|von) )";

/** The name of a maker without the words of an attribution before or behind it; null without such words, or if a text says more. */
export function attributedIn(text: string): Attributed | null {
  if (text.length > LONGEST) return null;
  const behind = BEHIND.exec(text);
  if (behind) {
    const [, name = "", bracket, inside = "", after = ""] = behind;
    const qualifier = bracket || !NAMES.test(after) ? attributionIn(wordsOf(inside + after)) : undefined;
    if (qualifier !== undefined) return maker(name, qualifier, true);
  }
  if (NAMES.test(text)) return null;
  for (const { index, 0: gap } of [...text.matchAll(GAP)].slice(0, MOST_GAPS)) {
    const words = wordsOf(text.slice(0, index));
    const qualifier = attributionIn(words);
    if (qualifier === undefined) continue;
    const last = words.findLastIndex((word) => !SMALL.has(word));
    const leading = words.slice(last + 1);
    const leads = LEADING[qualifier] ?? OF;
    const isLed = gap.includes(":") || leading.length > 0;
    if (!leading.every((word) => leads.has(word)) || (!isLed && LEADING[qualifier] === undefined)) continue;
    const rest = text.slice(index + gap.length);
    const found = maker(rest, qualifier, isLed);
    if (found && (isLed || !NOUN.test(words[last]!) || rest.includes(" "))) return found;
  }
  return null;
}

/** @param isLed whether a name may begin in lower case: "attribuito a de Chirico" */
function maker(name: string, qualifier: string, isLed: boolean): Attributed | null {
  const isName = new RegExp(`^${isLed ? `${PARTICLE}*` : ""}\\p{Lu}`, "u").test(name);
  // of one of several; in the genitive; with years, which may be those of the workshop
  const saysMore =
    PARTNERS.test(name) ||
    /[;:]|^Meisters\b/.test(name) ||
    (LEADING[qualifier] === undefined && (/\d{3}/.test(name) || isFirm(name)));
  return isName && !saysMore ? { name, qualifier } : null;
}
