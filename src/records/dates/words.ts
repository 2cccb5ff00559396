/**
 * What English, German, French, Italian, Spanish and Dutch catalogues write in a date, as `fold` leaves it (see tokens.ts).
 *
 * One vocabulary serves all: their words for dates hardly collide, and records mix languages.
 */

import { CIRCA } from "../../text.ts";

/** Italian, Spanish and Dutch words for a part. Of a year like 1800, they may mean a part of the century: "fine 1800". */
const PARTS = {
  early: "inizio inizi primi principio principi principios comienzo comienzos inicios begin vroege vroeg",
  mid: "meta mediados mitad midden",
  late: "tardo final finales fines fine eind einde laat",
  half: "helft",
  quarter: "kwart",
  third: "tercio",
};
const CUTS = [...Object.values(PARTS), "quarto cuarto terzo derde"].join(" ").replaceAll(" ", "|");
/** "inizio 1900", "finales del 1800" */
export const PART_OF_HUNDRED = new RegExp(
  `(?<=\\b(?:${CUTS})\\b(?: d[a-z']+)? ?)((?!20)\\d\\d)00(?!\\d|'?s)`,
  "g",
);
/** "fine 1899" */
export const PART_OF_YEAR = new RegExp(`\\b(?:${CUTS}) (?:d[a-z']+ ?)?\\d\\d(?!00)\\d\\d\\b`);
/** Words with which Italians write 800 for the 19th century: a part anywhere, others before it. */
export const ITALIAN = new RegExp(
  `\\b(?:${CUTS})\\b|\\b(?:[dn]ell?|dall?|all?|il|l|entro|dopo|intorno|incirca|fino|tra|fra|anni|forse|` +
    "probabilmente|possibilmente|presumibilmente|approssimativamente|[eo])\\b[ '.]*\\d{3}(?!\\d)",
);

/** What somebody did with the object then, a fact of its own beside another date. */
export const MADE_WORDS =
  "made executed created designed negative neg print printed reprinted published cast revised " +
  "reworked entstanden gefertigt hergestellt gedruckt publie imprime eseguito eseguita " +
  "realizzato realizzata stampato stampata hecho impreso vervaardigd gedrukt entwurf ausfuhrung herstellung aufnahme abzug guss " +
  "negatif tirage conception realisation execution fonte negativo stampa progetto esecuzione realizzazione fusione diseno realizacion ejecucion " +
  "ontwerp uitvoering negatief opname afdruk";

/** `to`, `at`, `until` part a range; before it `at` is idle, `until` a limit. */
export const WORDS = {
  circa:
    `${Object.values(CIRCA).join(" ")} roughly near ~ ± ≈ ungefahr rund gegen autour intorno incirca approssimativamente alrededor aproximadamente ` +
    "geschatzt estimated estime estimee stimato stimata estimado estimada geschat",
  maybe:
    "probably possibly perhaps presumably likely maybe prob poss wohl vermutlich wahrscheinlich " +
    "vielleicht moglicherweise evtl eventuell probablement possiblement vraisemblablement peutetre " +
    "forse probabilmente possibilmente presumibilmente quizas quiza probablemente posiblemente " +
    "waarschijnlijk mogelijk vermoedelijk misschien wellicht unsicher uncertain incertain incertaine incerto incerta " +
    "incierto incierta onzeker",
  asked: "?",
  before: "before pre prior vor avant ant ante antes voor anterieur anterieure anteriore anterior",
  by: "by up spatestens entro uiterlijk",
  after: "after post nach apres dopo despues tras na posterieur posterieure posteriore posterior",
  since: "since seit ab depuis sinds",
  earlier: "orearlier",
  later: "orlater",
  between: "between zwischen entre tra fra tussen",
  and: "and & und u et e y",
  or: "or oder bzw ou o",
  to: "- / through thru",
  at: "to a au aux al allo all alla agli ai",
  until: "until till bis jusqu jusque jusqua fino sino hasta tot",
  now: "present today now ongoing heute aujourdhui oggi hoy actualidad heden",
  early: `early beginning start anfang anf beginn fruhe fruhes fruhen debut ${PARTS.early}`,
  mid: `mid middle mitte mittleres mi milieu medio ${PARTS.mid}`,
  late: `late end ende spate spates spaten fin ${PARTS.late}`,
  half: `half halfte h moitie semestre ${PARTS.half}`,
  quarter: `quarter quartal viertel quart trimestre kwartaal ${PARTS.quarter}`,
  third: `drittel tiers quadrimestre cuatrimestre ${PARTS.third}`,
  century:
    "century centuries jh jhs jhd jhds jhdt jhdts jahrh jahrhundert jahrhunderts jahrhunderte " +
    "jahrhunderten siecle siecles siec secolo secoli sec secc siglo siglos eeuw eeuwen eeuwse eeuws",
  millennium:
    "millennium millennia jahrtausend jahrtausends jahrtausende jt jtsd millenaire millenaires millennio millenni " +
    "milenio milenios",
  decade:
    "annees anni decennio anos decada decadas decenio jaren decade decades decennie decennies decenni decennia jahrzehnt jahrzehnts jahrzehnte decennium",
  bc: "bc",
  ad: "ad",
  skip:
    ". , ( ) [ ] ' the of in on an year years im am das der dem den des die zum von vom jahr jahre jahren " +
    "jahres anno du de la le les l d en annee from dated date dat datiert signed signiert signe datato datata firmato firmata " +
    "fechado fechada firmado gedateerd gesigneerd monday tuesday wednesday thursday friday saturday " +
    "sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi " +
    "vendredi samedi dimanche il lo di da dal dall dallo dalla dagli dai del dell dello della dei degli delle nel nell nello nella " +
    "negli lunedi martedi mercoledi giovedi venerdi sabato domenica el los las desde ano lunes martes miercoles jueves " +
    "viernes domingo van vanaf het te uit jaar maandag dinsdag woensdag donderdag vrijdag zaterdag zondag " +
    MADE_WORDS,
};

/** Space parts the numbers 1 to 12, then the seasons 21 to 24; a bar parts the spellings of one. */
export const MONTHS =
  "january|jan|januar|janner|janvier|janv|gennaio|genn|gen|enero|ene|januari " +
  "february|feb|februar|feber|fevrier|fevr|fev|febbraio|febbr|febrero|febr|februari " +
  "march|mar|marz|maerz|mrz|mars|marzo|maart|mrt april|apr|avril|avr|aprile|abril|abr may|mai|maggio|magg|mag|mayo|mei " +
  "june|jun|juni|juin|giugno|giu|junio july|jul|juli|juillet|juil|luglio|lug|julio august|aug|aout|agosto|augustus " +
  "september|sept|sep|septembre|settembre|sett|septiembre|setiembre october|oct|oktober|okt|octobre|ottobre|ott|octubre " +
  "november|nov|novembre|noviembre december|dec|dezember|dez|decembre|dicembre|dic|diciembre";
export const SEASONS =
  "spring|fruhling|fruhjahr|printemps|primavera|lente|voorjaar summer|sommer|ete|estate|verano|zomer " +
  "autumn|fall|herbst|automne|autunno|otono|herfst|najaar winter|hiver|inverno|invierno";
export const ORDINALS =
  "first|erste|ersten|erstes|erster|premier|premiere|primo|prima|primero|primera|primer|eerste " +
  "second|zweite|zweiten|zweites|zweiter|deuxieme|seconde|secondo|seconda|segundo|segunda|tweede " +
  "third|dritte|dritten|drittes|troisieme|terzo|terza|tercero|tercera|tercer|derde " +
  "fourth|vierte|vierten|viertes|quatrieme|quarto|quarta|cuarto|cuarta|vierde fifth|quinto|vijfde sixth|sesto|zesde " +
  "seventh|settimo|zevende eighth|ottavo|achtste ninth|nono|negende tenth|decimo|tiende eleventh|undicesimo|elfde " +
  "twelfth|dodicesimo|twaalfde thirteenth|tredicesimo|dertiende fourteenth|quattordicesimo|veertiende " +
  "fifteenth|quindicesimo|vijftiende sixteenth|sedicesimo|zestiende seventeenth|diciassettesimo|zeventiende " +
  "eighteenth|diciottesimo|achttiende nineteenth|diciannovesimo|negentiende twentieth|ventesimo|twintigste";
export const LAST = "last letzte letzten letztes dernier derniere ultimo ultima ultimi ultimos laatste".split(
  " ",
);
/** The years of a decade, 10 to 90, which count only within a century. */
export const TENS =
  "dieci|diez twenties|zwanziger|vingt|venti|veinte|twintig thirties|dreissiger|trente|trenta|treinta|dertig " +
  "forties|vierziger|quarante|quaranta|cuarenta|veertig fifties|funfziger|cinquante|cinquanta|cincuenta|vijftig " +
  "sixties|sechziger|soixante|sessanta|sesenta|zestig seventies|siebziger|settanta|setenta|zeventig " +
  "eighties|achtziger|ottanta|ochenta|tachtig nineties|neunziger|novanta|noventa|negentig";

/** Words that mean something else behind an ordinal: "first third", "seconda metà". */
export const AFTER_ORDINAL: Readonly<Record<string, keyof typeof WORDS>> = {
  ...{ c: "century", s: "century", third: "third", terzo: "third", derde: "third" },
  ...{ meta: "half", mitad: "half", quarto: "quarter", cuarto: "quarter" },
};

/** Words of a remark that change what its date means, as `fold` leaves them: a text with such a remark is not read. */
export const ABOUT_DATES =
  "\\b(?:later\\w*|earlier|spater\\w*|fruher\\w*|junger\\w*|alter\\w*|jonger\\w*|ouder\\w*|eerder|nachpragung|restrike|herslag|posthum\\w*|plus tard|plus tot|piu tardi|mas tarde|but|aber|maar|mais|ma|pero|" +
  "except|ausser|recte|i\\.? ?e|correct\\w*|richtig|falsch|false|lees|not|nicht|niet|non|sauf|salvo|es decir|cioe|d\\.? ?h|" +
  "angeblich|vermeintlich|ungesichert|unbestatigt|annahernd|zugeschrieben|alleged\\w*|reputed\\w*|said|attribut?\\w+|atribuid\\w+|" +
  "disputed|unverified|unconfirmed|confirmed|tbc|verluidt|toegeschreven|" +
  "funde?|erw[eo]rb\\w*|ankauf|kauf|zugang|schenkung|aankoop|schenking|acqui\\w+|accession\\w*|purchase\\w*|gift|don|achat|" +
  "entree|entre|rinvenimento|dono|donazione|compra|donacion|adquis\\w+|ingreso|restaur(?:ier|o\\b|ad|at)\\w*|restored|" +
  "(?:an|ver)gekauft|ankauf\\w+|eingang\\w*|zugang\\w+|geschenkt?|gestiftet|fund\\w+|gefunden|(?:aus)?grabung\\w*|ausgegraben|" +
  "excavat\\w+|found|collected|donat\\w+|presented|given|bought|registered|repaired|conserved|bequ\\w+|gerestaureerd|" +
  "aangekocht|verwor?ven|verwerving|geschonken|gevonden|vondst|opgegraven|opgraving|legaat|legs|depot|donation|vente|versement|" +
  "lascito|deposito|legato|entrat[oa]|scav[oi]|ritrov\\w+|rinvenut[oa]|legado|excavacion\\w*|" +
  "hallazgo|hallad[oa]|subasta|alt|bisher|formerly|previously|more veneto|m\\.? ?v|[avn]\\.? ?st|a\\.? ?s|(?:ancien|vieux|old|new) style|" +
  "alter stil|stile (?:fior|ven|pis|mod|ant)\\w*|juli[ae]n\\w*|giulian\\w*|julianisch\\w*|gregor\\w+|" +
  "courant|pieno|prim\\w*issimi|(?:premiere|seconde|deuxieme|prima|seconda|primera|segunda) part[ei]e?|" +
  "probab(?:le|ile)|possib(?:le|ile)|posible|doubt\\w*|question\\w*|douteu\\w+|dubbi\\w+|dudos\\w+|fraglich|zweifelhaft|twijfel\\w*|" +
  "hypothe\\w+|ipotetic\\w+|hipotetic\\w+|suppos\\w+|presum[eo]\\w*|presunt\\w+|supuest\\w+|sans doute|spurious|" +
  "approximati\\w+|approximate|approssimativ[oa]|aproximad[oa]|estimat\\w*|est|schatting|schatzung|environs|alentours|a peu pres|plus ou moins|" +
  "piu o meno|mas o menos|pressappoco|au plus|a mas|como m[ai]\\w+|at the|fruhestens|op zijn|et suiv\\w*|et annees|et au|in poi|" +
  "e oltre|e succ\\w+|e segu\\w+|y sig\\w+|y post\\w+|en adelante|onwards?|sqq?|ff|ss|t\\.? ?[pa]\\.? ?q|a\\.? ?q|ap|av|" +
  "inicio|ppios?|princ|meds?|mil|deb|ex|ineunte|exeunte|tardif|avanzado|inoltrato|scorcio|esordi|" +
  "(?:premieres|dernieres) annees|tout\\w* \\w+|extreme fin|postrimerias|(?:p|s|1a|2a|2e)\\.? ?m|4e q|mit|ult)\\b";

/** How a text begins that gives a range, or (`open`) else what goes on: "from 1867 to 1899", "from 1867". */
export const STARTS = {
  open: "from|dal|dall|dallo|dalla|dagli|dai|da|desde|vanaf",
  span: "von|vom|de|d|du|des|del|della|van",
};

/** How Italians call the centuries from the 13th on. */
const HUNDREDS = "duecento trecento quattrocento cinquecento seicento settecento ottocento novecento".split(
  " ",
);

const CHRIST =
  "(?:chr|christus|christi(?: geburt)?|christ|cristo|j\\.? ?-? ?c|jesus[ -]christ|u\\. ?z|" +
  "(?:notre|unserer) (?:ere|zeit(?:rechnung)?))";
const OR = "(?:or|oder|ou|o|of|and|und|et|e|y|en)";
const MAYBE = WORDS.maybe.replaceAll(" ", "|");
const NOT = "(?:not|nicht|pas|non?|niet)";
const MONTH = `${MONTHS} ${SEASONS}`.replaceAll(" ", "|");
/** Phrases and abbreviations whose dots, hyphens and spaces would otherwise be read as something else. */
export const PHRASES: readonly (readonly [RegExp, string])[] = [
  // brackets around it part no dates: "1937 (ca.) en 1980"
  [/\((about|ca\.|\?)\)/g, " $1"],
  [/\bad (?=agosto|aprile)/g, "a "],
  [/\bc\.a\b\.?/g, "ca "],
  [/\bpre-(?=\d{4})/g, "pre "],
  [/^(\D*\d{4}) onwards?$/g, "since $1"],
  // "1880 e.v.": and the following years
  [/\b(\d{4}) e\. ?v\b\.?/g, "since $1"],
  [/\bvo[nm] (.{4,20}) an\b/g, "since $1"],
  [/\b(?:and|und|et|e|y|en)\/(?:or|oder|ou|o|of)\b/g, "or"],
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
    new RegExp(`\\b${NOT} (?:before|vor|avant|prima|antes|voor)\\b|\\b(?:no|not) earlier than\\b`, "g"),
    "since",
  ],
  [
    new RegExp(`\\b${NOT} (?:after|nach|apres|dopo|oltre|despues|na)\\b|\\b(?:no|not) later than\\b`, "g"),
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
  [new RegExp(`\\b(?:${MAYBE}) (?:earlier|fruher|plus tot|prima|antes|eerder)\\W*$`, "g"), " orearlier "],
  [new RegExp(`\\b(?:${MAYBE}) (?:later|spater|plus tard|piu tardi|mas tarde)\\W*$`, "g"), " orlater "],
  [/\b(mid|mi)-(?!to\b|late|early)|\b(early|late)-(?=\d)|\b(primo|medio|tardo|vroeg|laat)-/g, "$1$2$3 "],
  // years of the Hijra, of the French Republic "an VIII" and of the Fascist Era "1943 (XXI)"
  [
    /\bfirst (?=publi|print)|\ba\. ?h\. ?\d+|monarchie de juillet|\b(?:l')?an (?:[ivx]+|\d\d?)\b|(?<=\d{4} )\([ivx]+\)|-(?=jahre|eeuw)/g,
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
  [new RegExp(`(?<![\\w.] ?)h\\. ?(?=\\d{4}\\b|\\d\\d?[/ ]|(?:${MONTH})\\b)`, "g"), "ca "],
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
  [/(?<=[a-z] )(?:from|vanaf) (?=(?:c\.? |ca\.? |about )?\d{4}$)/g, "since "],
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
    /(?<!- ?)\b(?:decada|decennio|decenio|decennie|decennium|jahrzehnt) (?:d[a-z']{0,4} ?)?(\d{3}0)\b(?! ?-)/g,
    "$1er",
  ],
  // coins have cents
  [/(?<=\b(?:\d\d?(?:st|nd|rd|th)|[ivx]+)) cent\b/g, " century"],
  [
    /\b(?:printed later|later print|spater gedruckt|spaterer abzug|tirage (?:posterieur|ulterieur)|latere afdruk)\b/g,
    " ",
  ],
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
];
