/**
 * Ages without the word "century", and those in short: "seconda metà del XIX", "late 19th", "sec. XV ex.", "E. 18./A. 19. Jh." Beside
 * anything else they may be months, dynasties, editions or names, so they are spelled out only in a text that says nothing else.
 */
import { anyWord } from "../../text.ts";
import { type Token, tokens } from "./tokens.ts";
import { ALL_CUTS, STARTS, WORDS } from "./words.ts";

const BEHIND_PART = `(?<=\\b(?:${ALL_CUTS}|quarter|third)\\b\\.?(?: d(?:el|es|u)| of the)? ?)\\b`;
/** From XI on: below, the phases of a culture are counted ("Late Minoan II"), and months. */
const ROMAN = "(?:x(?:i{1,3}|iv|vi{0,3}|ix)|xxi?)\\b";
const ENDING = "(?:th|st|er?|eme|de|ste|\\.)?";
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
  ...(["tardio", "temprano"] as const).map(
    (word, i) =>
      [
        new RegExp(`\\b${word}(?= (?:siglo|x))|(?<=\\b[ivx]+,? )${word}\\b`, "g"),
        ["late", "early"][i]!,
      ] as const,
  ),
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

const OTHERS = new Set<Token["is"]>(["unknown", "day", "month", "millennium"]);
/** A year; "from late 18th, early 19th"; "fine del XVIII o del XIX"; "s. XV ex./in."; "early XX on"; "Ende 2., 3. Viertel 18. Jh." */
const UNCLEAR = new RegExp(
  `\\d{3}|\\b(?:anno|ano|jahr|year|jaar)\\b|^\\W*(?:${STARTS.open}|${anyWord(WORDS.since)})\\b.*,|` +
    `\\b${anyWord(WORDS.or)} (?:d(?:el|u|es)|the)\\b|[-/] *(?:early|mid|late|in\\b)[. ]*$|\\bon$|^to\\b|` +
    "\\b[1-4]\\. century, [1-4]",
);

/** @param folded by `fold` */
export function spelledOut(folded: string): string {
  const spelled = SPELLED.reduce((text, [pattern, plainly]) => text.replace(pattern, plainly), folded);
  const isAlone = tokens(spelled).every(({ is }) => !OTHERS.has(is));
  return isAlone && !UNCLEAR.test(spelled) ? spelled : folded;
}
