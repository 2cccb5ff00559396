/**
 * What English, German and French catalogues write in a date, cut into tokens of one kind in any language.
 *
 * One vocabulary serves the three: their words for dates hardly collide, and records mix languages.
 */
import { normalised } from "../../text.ts";

export type Token =
  | { is: "number"; n: number; digits: number; ordinal: boolean; roman: boolean; decade?: "s" | "er" }
  | { is: "day"; year: number; month: number; day?: number }
  | { is: "month"; month: number }
  | { is: keyof typeof WORDS | "unknown" };

/** Words as `fold` leaves them. `to`, `at`, `until` part a range; before it `at` is idle, `until` a limit. */
const WORDS = {
  circa:
    "c ca circa cca approx approximately about around roughly near ~ ± ≈ um etwa ungefahr rund gegen " +
    "zirka vers environ env autour",
  maybe:
    "probably possibly perhaps presumably likely maybe prob poss wohl vermutlich wahrscheinlich " +
    "vielleicht moglicherweise evtl eventuell probablement possiblement vraisemblablement peutetre",
  asked: "?",
  before: "before pre prior vor avant",
  by: "by up spatestens",
  after: "after post nach apres",
  since: "since seit ab depuis",
  earlier: "orearlier",
  later: "orlater",
  between: "between zwischen entre",
  and: "and & und u et",
  or: "or oder bzw ou",
  to: "- / through thru",
  at: "to a au aux",
  until: "until till bis jusqu jusque jusqua",
  now: "present today now ongoing heute aujourdhui",
  early: "early beginning start anfang anf beginn fruhe fruhes fruhen debut",
  mid: "mid middle mitte mittleres mi milieu",
  late: "late end ende spate spates spaten fin",
  half: "half halfte h moitie semestre",
  quarter: "quarter quartal viertel quart trimestre",
  third: "drittel tiers",
  century:
    "century centuries cent jh jhs jhd jhds jhdt jhdts jahrh jahrhundert jahrhunderts jahrhunderte " +
    "jahrhunderten siecle siecles siec",
  millennium: "millennium millennia jahrtausend jahrtausends jahrtausende jt jtsd millenaire millenaires",
  decade: "annees",
  bc: "bc",
  ad: "ad",
  skip:
    ". , ( ) [ ] ' the of in on an year years im am das der dem den des die von jahr jahre jahren " +
    "jahres anno du de la le les l d en annee from dated date datiert signed signiert signe made " +
    "executed created designed negative printed reprinted published cast revised reworked entstanden " +
    "gefertigt hergestellt gedruckt publie imprime monday tuesday wednesday thursday friday saturday " +
    "sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi " +
    "vendredi samedi dimanche",
};

/** Space parts the numbers 1 to 12, then the seasons 21 to 24; a bar parts the spellings of one. */
const MONTHS =
  "january|jan|januar|janner|janvier|janv february|feb|februar|feber|fevrier|fevr|fev " +
  "march|mar|marz|maerz|mrz|mars april|apr|avril|avr may|mai june|jun|juni|juin " +
  "july|jul|juli|juillet|juil august|aug|aout september|sept|sep|septembre " +
  "october|oct|oktober|okt|octobre november|nov|novembre december|dec|dezember|dez|decembre";
const SEASONS =
  "spring|fruhling|fruhjahr|printemps summer|sommer|ete autumn|fall|herbst|automne winter|hiver";
const ORDINALS =
  "first|erste|ersten|erstes|erster|premier|premiere " +
  "second|zweite|zweiten|zweites|zweiter|deuxieme|seconde third|dritte|dritten|drittes|troisieme " +
  "fourth|vierte|vierten|viertes|quatrieme fifth sixth seventh eighth ninth tenth eleventh twelfth " +
  "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth";
const LAST = "last letzte letzten letztes dernier derniere".split(" ");

const VOCABULARY = new Map<string, Token>();
for (const [is, words] of Object.entries(WORDS)) {
  for (const word of words.split(" ")) VOCABULARY.set(word, { is: is as keyof typeof WORDS });
}
const number = (n: number, ordinal: boolean, roman = false): Token & { is: "number" } => ({
  is: "number",
  n,
  digits: String(n).length,
  ordinal,
  roman,
});
const numbered = (words: string, token: (n: number) => Token): void => {
  for (const [i, spellings] of words.split(" ").entries()) {
    for (const word of spellings.split("|")) VOCABULARY.set(word, token(i + 1));
  }
};
numbered(MONTHS, (n) => ({ is: "month", month: n }));
numbered(SEASONS, (n) => ({ is: "month", month: n + 20 }));
numbered(ORDINALS, (n) => number(n, true));
for (const word of LAST) VOCABULARY.set(word, number(-1, true));

const CHRIST =
  "(?:chr|christus|christi(?: geburt)?|christ|j\\.? ?-? ?c|jesus[ -]christ|u\\. ?z|" +
  "(?:notre|unserer) (?:ere|zeit(?:rechnung)?))";
/** Phrases and abbreviations whose dots, hyphens and spaces would otherwise be read as something else. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`\\b(?:v|vor|av|avant|before)\\.? ?${CHRIST}\\b\\.?|\\bb\\.? ?c(?:\\.? ?e)?\\b\\.?`, "g"),
    " bc ",
  ],
  [
    new RegExp(`\\b(?:n|nach|ap|apr|apres|de)\\.? ?${CHRIST}\\b\\.?|\\ba\\.?d\\b\\.?|\\bc\\.?e\\b\\.?`, "g"),
    " ad ",
  ],
  [/\b(?:not|nicht|pas) (?:before|vor|avant)\b|\b(?:no|not) earlier than\b/g, "since"],
  [/\b(?:not|nicht|pas) (?:after|nach|apres)\b|\b(?:no|not) later than\b/g, "by"],
  [/\b(?:or|oder|ou|and|und|et) (?:earlier|before|fruher|davor|avant|plus tot|anterieur)\b/g, " orearlier "],
  [/\b(?:or|oder|ou|and|und|et) (?:later|after|spater|danach|apres|plus tard|posterieur)\b/g, " orlater "],
  [/\b(mid|mi)-(?!to\b|late|early)|\b(early|late)-(?=\d)/g, "$1$2 "],
  [/\bfirst (?=publi|print)|\ba\. ?h\. ?\d+|-(?=jahre)/g, " "],
  // thousands, before our era only: "15,000 – about 12,000 BC", "15.000 v. Chr."
  [/(\d)[,. ](?=\d{3}(?!\d)[a-z\d,. -]{0,30}\bbc\b)/g, "$1"],
  [/\b(\d{1,2})-([a-z]{3,9})-(?=\d{4}\b)/g, "$1 $2 "],
  [/\b(\d{1,2})\. (\d{1,2})\. ?(?=\d{4}\b)/g, "$1.$2."],
  [/\ba partir\b/g, "since"],
  [/\bpeut[ -]etre\b/g, "peutetre"],
  [/\baujourd'hui\b|\bnos jours\b/g, "now"],
  [/\btwenty-first\b/g, "21st"],
];

/** Lower case, no accents, one kind of dash, apostrophe and space, phrases made plain. */
export function fold(text: string): string {
  const plain = normalised(text, "NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const even = plain
    .replace(/[‐-―−]/g, "-")
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, " ");
  return PHRASES.reduce((folded, [pattern, plainly]) => folded.replace(pattern, plainly), even);
}

const ORDINAL = "(st|nd|rd|th|e|i?eme|e?re|n?de|te[nrs]?)";
/** Year first; day or month first; month and year; any other number; word or sign. */
const TOKEN = new RegExp(
  [
    String.raw`(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)`,
    String.raw`(\d{1,2})([-/.])(\d{1,2})\6(\d{4})(?!\d)`,
    String.raw`(0?[1-9]|1[0-2])[/.](\d{4})(?!\d)`,
    String.raw`(\d+)(?:'?(s|er|ern|erjahren?)(?![a-z])|${ORDINAL}(?![a-z])|(\.)(?= ?[a-z-]))?`,
    String.raw`[a-z]+|[^\s\d]`,
  ].join("|"),
  "g",
);
const ROMAN = /^(xl|x{0,3})(ix|iv|v?i{0,3})(e|er|re|eme|ieme|th)?$/;

function readNumber(digits: string, decade: string | undefined, ordinal: string | undefined): Token {
  const n = Number(digits);
  if (digits.length > 7) return { is: "unknown" };
  /** French `1er`; any other number before `er` is a German decade. */
  const first = decade === "er" && n === 1;
  const token = {
    ...number(n, digits.length < 3 && (ordinal !== undefined || first)),
    digits: digits.length,
  };
  return decade && !first ? { ...token, decade: decade === "s" ? "s" : "er" } : token;
}

function readRoman(word: string): Token {
  const found = ROMAN.exec(word);
  const n = found
    ? (found[1] === "xl" ? 40 : found[1]!.length * 10) +
      ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"].indexOf(found[2]!)
    : 0;
  return n > 0 ? number(n, true, found?.[3] !== undefined) : { is: "unknown" };
}

/** The day first; a text with the month first reaches this with both exchanged (see dates/readings.ts), unless it has dots. */
function readDay(a: number, b: number, year: number, sign: string): Token {
  if (b <= 12) return { is: "day", year, month: b, day: a };
  return sign === "." && a <= 12 ? { is: "day", year, month: a, day: b } : { is: "unknown" };
}

export function tokens(folded: string): Token[] {
  const read: Token[] = [];
  for (const found of folded.matchAll(TOKEN)) {
    const [all, y, , m, d, first, sign, second, year, month, monthYear, digits, decade, suffix, dot] = found;
    const before = read.at(-1);
    const afterOrdinal = before?.is === "number" && before.ordinal;
    if (y) read.push({ is: "day", year: Number(y), month: Number(m), day: Number(d) });
    else if (year) read.push(readDay(Number(first), Number(second), Number(year), sign!));
    else if (monthYear) read.push({ is: "day", year: Number(monthYear), month: Number(month) });
    else if (digits) read.push(readNumber(digits, decade, suffix ?? dot));
    else if (afterOrdinal && (all === "c" || all === "s")) read.push({ is: "century" });
    else if (afterOrdinal && all === "third") read.push({ is: "third" });
    else read.push(VOCABULARY.get(all) ?? readRoman(all));
  }
  return read;
}
