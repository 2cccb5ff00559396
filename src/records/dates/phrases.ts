/** Phrases and abbreviations of dates, folded, and what they are before `tokens.ts` cuts a text. */
import { anyWord } from "../../text.ts";
import { MONTH, WORDS } from "./words.ts";

/** How Italians call the centuries from the 13th on. */
const HUNDREDS = "duecento trecento quattrocento cinquecento seicento settecento ottocento novecento".split(
  " ",
);

const CHRIST =
  "(?:chr|christus|christi(?: geburt)?|christ|cristo|j\\.? ?-? ?c|jesus[ -]christ|u\\. ?z|" +
  "(?:notre|unserer) (?:ere|zeit(?:rechnung)?))";
const OR = "(?:or|oder|ou|o|of|and|und|et|e|y|en)";
const MAYBE = anyWord(WORDS.maybe);
const NOT = "(?:not|nicht|pas|non?|niet)";
/** The preposition before a date is no "to"; but "not earlier than 1880 to 1890" and "not before or after" are not clear. */
const AT = `(?! (?:or|oder|ou|o|of) |\\D{0,8}\\d{4} (?:to|a|al|au|bis|tot)\\b)(?: (?:al?|alla|agli|au|aux)\\b)?`;

/** Phrases and abbreviations whose dots, hyphens and spaces would otherwise be read as something else. */
export const PHRASES: readonly (readonly [RegExp, string])[] = [
  // brackets around it part no dates: "1937 (ca.) en 1980"
  [/\((about|ca\.|\?)\)/g, " $1"],
  [/\bad (?=agosto|aprile)/g, "a "],
  [/\bc\.a\b\.?/g, "ca "],
  [/\bpre-(?=\d{4})/g, "pre "],
  [
    /^((?:dal? |dall'|desde |de |from )?\D{0,5}\d{4}),? (?:onwards?|in poi|e oltre|en adelante)$/g,
    "since $1",
  ],
  [/\bzw\. ?(?=\d)/g, "zwischen "],
  [/\bod\. /g, "oder "],
  [/\b(?:omstr|ong|plm)\. ?(?=\d{4}\b|\d\d?(?:e|de|ste)\b)/g, "ca "],
  [/(?<!\bou )\bdans (?=les annees\b|la \w+ moitie\b)/g, ""],
  // "XVI e - XVII e siècle"
  [/\b([ivx]+|\d\d?) (er?|eme)(?= s(?:iecle|\.(?! ?d))|[^a-z].*[ivx\d] ?e s(?:iecle|\.(?! ?d)))/g, "$1$2"],
  // "1880 e.v.": and the following years
  [/\b(\d{4}) e\. ?v\b\.?/g, "since $1"],
  [/\bvo[nm] (.{4,20}) an\b/g, "since $1"],
  [/\b(?:and|und|et|e|y|en)\/(?:or|oder|ou|o|of)\b/g, "or"],
  // "50 v. – 50 n. Chr.", "30 avant – 14 après J.-C."
  [
    new RegExp(
      `(?<=\\d ?|[a-z]\\.? )(?:v|vor|voor|av|avant)\\b\\.?(?= ?(?:-|(?:bis|tot|au)\\b)[^-]*(?:\\d|\\b[ivx]+e)[^-]*\\b(?:n|nach|na|ap|apr|apres)\\.? ?${CHRIST}\\b)`,
      "g",
    ),
    " bc ",
  ],
  [
    new RegExp(
      `\\b(?:v|vor|av|avant|avanti|before|voor|antes de)\\.? ?${CHRIST}\\b\\.?|\\bb\\.? ?c(?:\\.? ?e)?\\b\\.?|` +
        "\\ba(?:\\. ?(?:de )?)?(?:j\\. ?)?c\\b(?! ?\\.? ?\\d)\\.?|\\b[ap]\\. ?e\\. ?[cv]\\b\\.?",
      "g",
    ),
    " bc ",
  ],
  [
    new RegExp(
      `\\b(?:n|nach|ap|apr|apres|de|dopo|na|despues de)\\.? ?${CHRIST}\\b\\.?|\\ba\\. ?d\\b\\.?|\\bad\\b\\.?|\\bc\\.?e\\b\\.?|` +
        "\\bd(?:\\. ?(?:de )?)?(?:j\\. ?)?c\\b(?! ?\\.? ?\\d)\\.?|\\be\\. ?[cv]\\b\\.?",
      "g",
    ),
    " ad ",
  ],
  [
    new RegExp(
      `\\b(?:${NOT} (?:before|vor|avant|prima|antes|voor|anterior[ei]?|anterieure?)|(?:not?|niet) (?:earlier|eerder) (?:than|dan)|` +
        `at the earliest|au plus tot|al piu presto|como muy pronto|op zijn vroegst)\\b${AT}`,
      "g",
    ),
    "since",
  ],
  [
    new RegExp(
      `\\b(?:${NOT} (?:after|nach|apres|dopo|oltre|despues|na|posterior[ei]?|posterieure?)|(?:not?|niet) later (?:than|dan)|` +
        `at the latest|au plus tard|al piu tardi|a mas tardar|como muy tarde|op zijn laatst)\\b${AT}`,
      "g",
    ),
    "by",
  ],
  [
    new RegExp(
      `\\b${OR} (?:earlier|before|fruher|davor|avant|plus tot|anterieur|prima|anteriore|antes|anterior|eerder|vroeger)\\b`,
      "g",
    ),
    " orearlier ",
  ],
  [
    new RegExp(
      `\\b${OR} (?:later|after|spater|danach|apres|plus tard|posterieur|dopo|piu tardi|posteriore|despues|mas tarde|posterior)\\b`,
      "g",
    ),
    " orlater ",
  ],
  // the beginning of a century, in Latin
  [
    /(?<=\b(?:[ivx]+e?|sec\.?|secolo|siecle|s\.),? \(?)in\b\.?(?! ?\d)|\bin\. (?=sec|[ivx]+ sec)/g,
    "ineunte ",
  ],
  // "c. 1650, possibly later"
  [new RegExp(`\\b${MAYBE} (?:earlier|fruher|plus tot|prima|antes|eerder)\\W*$`, "g"), " orearlier "],
  [new RegExp(`\\b${MAYBE} (?:later|spater|plus tard|piu tardi|mas tarde)\\W*$`, "g"), " orlater "],
  [/(?<=\d(?:st|nd|rd|th|e|de|ste)|[a-z](?:st|nd|rd|th))-(?=,| (?:or|and|to|of|en|tot)\b)/g, ""],
  [
    /\b(mid|mi)-(?!to\b|late|early)|\b(early|late)-(?=\d|[a-z]+[- ]centur)|\b(primo|medio|tardo|vroeg|laat)-/g,
    "$1$2$3 ",
  ],
  // years of the Hijra, of the French Republic "an VIII" and of the Fascist Era "1943 (XXI)"
  [
    /\bfirst (?=publi|print)|\ba\. ?h\. ?\d+|monarchie de juillet|\b(?:l')?an (?:[ivx]+|\d\d?)\b|(?<=\d{4} )\([ivx]+\)|-(?=jahre|eeuw|centur)/g,
    " ",
  ],
  // a decade as an end: "1895 – about 1900–1909"
  [/\b(\d{3})0-\1[9](?=.* - )|(?<= - .*)\b(\d{3})0-\2[9]\b/g, "$1$20er"],
  // thousands, before our era only: "15,000 – about 12,000 BC", "15.000 v. Chr."
  [/(\d)[,. ](?=\d{3}(?!\d)[a-z\d,. -]{0,30}\bbc\b)/g, "$1"],
  [/\b(\d{1,2})-([a-z]{3,9})-(?=\d{4}\b)/g, "$1 $2 "],
  [/\b(\d{1,2})\. (\d{1,2})\. ?(?=\d{4}\b)/g, "$1.$2."],
  [/\ba parti(?:r|re)\b/g, "since"],
  [/\bpeut[ -]etre\b|\btal vez\b/g, "peutetre"],
  [/\baujourd'hui\b|\bnos jours\b/g, "now"],
  [/\btwenty-first\b/g, "21st"],
  // Spanish "s. XIX", "h. 1887", but German "1. H. 1923"; "ago" and "set" are other words in English
  [/\bss?\. ?(?=[ivx]+\b)/g, "siglo "],
  [new RegExp(`(?<![\\w.] ?)h\\. ?(?=\\d{4}\\b|\\d\\d?[/ ]|${MONTH}\\b)`, "g"), "ca "],
  [/\bago(?=\.? ?(?:de )?\d{4}\b)/g, "agosto"],
  [/\bset(?=\. ?(?:de )?\d{4}\b)/g, "settembre"],
  // in English "verso" is the back
  [/\bverso (?=il\b|lo\b|la\b|l'|gli\b|fine\b|meta\b|inizi|primi\b)/g, "ca "],
  [/\bde? c\b\.?(?! ?\d)/g, " ad "],
  // "fin dal 1880", "fin verso il 1880"
  [/\bfin (?=da)/g, "since "],
  [/\bfin (?=ca )/g, "fino "],
  // "entre los años 1880 y 1890" are years
  [/\b(entre los) anos\b/g, "$1"],
  // in Spanish "u" is "or"
  [/\bu (?=o[ctn]|8|11\b|viii\b|xi\b)/g, "o "],
  // "um/nach 1650", "vor/um 1650"
  [/\b(um|c|ca|circa|rond)\.?\/(?=(?:nach|after|na|vor|before|voor)\b)/g, "$1 or "],
  [/\b(nach|after|na|vor|before|voor)\/(?=(?:um|c|ca|circa|rond)\b)/g, "$1 or "],
  // in Italian "prima" is "before" or "first"
  [/\bprima (?=de[il])/g, "ante "],
  // "l'800" is the 19th century, but with an era a year
  ...HUNDREDS.map(
    (name, i) =>
      [
        new RegExp(`\\b${name}\\b|(?<!\\d|\\b(?:bc|ad)\\b.*)'${i + 2}00(?![\\w']|.*\\b(?:bc|ad)\\b)`, "g"),
        ` ${i + 13}th century`,
      ] as const,
  ),
  [/\bprimo +(?=\d\dth century)/g, "early "],
  // "dal 1850 e fino al 1860"
  [/\b(?:e|y|et|und|and|en) (?=(?:fino|hasta|jusqu|bis|until|tot)\b)/g, ""],
  // "to 1880", "made from 1930"
  [/^(\W*)to (?=\D*\d)/g, "$1until "],
  [
    /(?<=\b(?:made|published|produced|manufactured|issued|vervaardigd|uitgegeven) )(?:from|vanaf)\b/g,
    "since ",
  ],
  // "60-er Jahre"; "Paris, 188-", a decade that a library does not know better
  [/\b(\d0)-(?=er\b)/g, "$1"],
  [
    /(?<![\d.-])(1\d\d|20\d)-(?=[\])?]*(?:$| *[?,;/)(&]| (?:to|bis|tot|and|und|et|en|or|oder|ou|of)\b|-))/g,
    "$10er",
  ],
  // these ten years, not two decades
  [/\b(?:decennio|decenio|decennie|decennium|decada|decade|jahrzehnt) (?:de )?(?=\d{3}0[-/]\d{3}0\b)/g, ""],
  // "década de 1860" is one decade, "años 1860-1865" are years
  [
    /(?<!- ?)\b(?:decada|decennio|decenio|decennie|decennium|jahrzehnt) (?:d[a-z']{0,4} ?)?(\d{3}0)\b(?! ?-|.*\d{3}0\b)/g,
    "$1er",
  ],
  // coins have cents
  [/(?<=\b(?:\d\d?(?:st|nd|rd|th)|[ivx]+)) cent\b/g, " century"],
  // in Dutch "en" is "and", "of" is "or"
  [/\bt\/m\b|\btot en met\b/g, "bis"],
  ...(["en", "of"] as const).map(
    (word, i) =>
      [
        new RegExp(
          `(?<=(?:\\d{4}|\\d(?:ste|de|e)|eeuw|chr\\.|bc|ad|ca\\.|\\?) ?,?) +${word}(?= (?:(?:[a-z]+\\.?|-) ){0,4}\\d)`,
          "g",
        ),
        [" and", " or"][i]!,
      ] as const,
  ),
  [/(?<!\banno )\bsuccessiv[oa] a(?=l|\b)/g, "dopo a"],
];
