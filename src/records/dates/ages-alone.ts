/**
 * Spells out ages that lack the word "century" or are abbreviated: "seconda metà del XIX", "late 19th", "sec. XV ex.", "E. 18./A. 19. Jh."
 * Only a text that says nothing else is spelled out: beside other words, these may be months, dynasties, editions or names.
 */
import { anyWord } from "../../text.ts";
import { type Token, tokens } from "./tokens.ts";
import { ALL_CUTS, STARTS, WORDS } from "./words.ts";

const BEHIND_PART = `(?<=\\b(?:${ALL_CUTS}|quarter|third)\\b\\.?(?: d(?:el|es|u)| of the)? ?)\\b`;
/** XI to XXI. Lower numbers also count months, and the phases of a culture ("Late Minoan II"). */
const ROMAN = "(?:x(?:i{1,3}|iv|vi{0,3}|ix)|xxi?)\\b";
const ENDING = "(?:th|st|er?|eme|de|ste|\\.)?";
/** What stands before the Latin abbreviations of a part: in., med., ex. */
const LATIN = "(?<=\\b(?:[ivx]+e?|sec\\.?|secolo|siecle|s\\.),? \\(?)";

const SPELLED: readonly (readonly [RegExp, string])[] = [
  ...(["ende", "mitte", "anfang"] as const).map(
    (word) =>
      [
        new RegExp(
          `\\b${word[0]}\\b\\.? ?(?=\\d\\d?\\.(?:[^a-z]*(?:oder )?[ame]\\b\\.? ?\\d\\d?\\.)? ?j(?:h|ahrh))`,
          "g",
        ),
        `${word} `,
      ] as const,
  ),
  [/\b([1-4]\.) ?v\. ?(?=\d\d?\. ?jh)/g, "$1 viertel "],
  [/(?<![\w'])s(?:g\.?)? (?=[ivx]{2,}\b)/g, "siglo "],
  [/\bineunte\b|\bin\. (?=[ivx]+\b)/g, "early "],
  [new RegExp(`${LATIN}med\\b\\.?|\\bmed\\. (?=siglo)`, "g"), "mid "],
  [new RegExp(`${LATIN}ex(?:eunte)?\\b(?!\\.? *s[ei])\\.?`, "g"), "late "],
  [/\btardio(?= (?:siglo|x))|(?<=\b[ivx]+,? )tardio\b/g, "late"],
  [/\btemprano(?= (?:siglo|x))|(?<=\b[ivx]+,? )temprano\b/g, "early"],
  [new RegExp(`${BEHIND_PART}${ROMAN}|\\b${ROMAN}(?= (?:early|mid|late) )`, "g"), "$&e"],
  [new RegExp(`${BEHIND_PART}[ivx]+\\b(?=.*\\b(?:bc|ad)\\b)`, "g"), "$&e"],
  [
    new RegExp(
      `${BEHIND_PART}(?:(?:1\\d|2[01])(?:th|st|e|eme|de|ste)|\\d\\d?\\.(?=,))(?=$|[\\])]| ?[-/,?(]| (?:to|and|or|et|ou)\\b)`,
      "g",
    ),
    "$& century",
  ],
  // "fine '800 inizi '900"
  [
    new RegExp(
      `(?<=\\b${anyWord(WORDS.late)}\\b *(?:(?:de[ls]?|du|of|the|siglo|sec|secolo)\\b\\.? *)*\\b(?:\\d\\d?|[ivx]+)${ENDING}(?: ?${anyWord(WORDS.century)}\\b\\.?)?) (?=${anyWord(WORDS.early)}\\b)`,
      "g",
    ),
    " - ",
  ],
];

/** Tokens of a text that says more. */
const FOREIGN = new Set<Token["is"]>(["unknown", "day", "month", "millennium"]);
/** Texts that are not clear, or say more: a year; "from late 18th, early 19th"; "fine del XVIII o del XIX"; "s. XV ex./in."; "early XX on"; "Ende 2., 3. Viertel 18. Jh." */
const UNCLEAR = new RegExp(
  `\\d{3}|\\b(?:anno|ano|jahr|year|jaar)\\b|^\\W*(?:${STARTS.open}|${anyWord(WORDS.since)})\\b.*,|` +
    `\\b${anyWord(WORDS.or)} (?:d(?:el|u|es)|the)\\b|[-/] *(?:early|mid|late|in\\b)[. ]*$|\\bon$|^to\\b|` +
    "\\b[1-4]\\. century, [1-4]",
);

/** Returns the text unchanged if it is not an age alone. @param folded by `fold` */
export function spelledOut(folded: string): string {
  const spelled = SPELLED.reduce((text, [pattern, plainly]) => text.replace(pattern, plainly), folded);
  const isAlone = tokens(spelled).every(({ is }) => !FOREIGN.has(is));
  return isAlone && !UNCLEAR.test(spelled) ? spelled : folded;
}
