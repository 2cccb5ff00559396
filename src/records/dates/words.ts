/**
 * What English, German, French, Italian, Spanish and Dutch catalogues write in a date, as `fold` leaves it (see tokens.ts).
 *
 * One vocabulary serves all: their words for dates hardly collide, and records mix languages.
 */

import { anyWord, CIRCA } from "../../text.ts";

/** Italian, Spanish and Dutch words for a part. Of a year like 1800, they may mean a part of the century: "fine 1800". */
const PARTS = {
  early:
    "inizio inizi primi principio principi principios ppio ppios princ comienzo comienzos inicios begin vroege vroeg",
  mid: "meta mediados mitad midden",
  late: "tardo final finales fines fine eind einde laat",
  half: "helft",
  quarter: "kwart",
  third: "tercio",
};
const CUTS = anyWord([...Object.values(PARTS), "quarto cuarto terzo derde"].join(" "));
/** Words with which Italians write 800 for the 19th century: a part anywhere, others before it. */
export const ITALIAN = new RegExp(
  `\\b${CUTS}\\b|\\b(?:[dn]ell?|dall?|all?|il|gli|l|entro|dopo|intorno|incirca|fino|tra|fra|anni|forse|` +
    "probabilmente|possibilmente|presumibilmente|approssimativamente|[eo])\\b[ '.]*\\d{3}(?!\\d)",
);

/** What somebody did with the object then, a fact of its own beside another date. */
export const MADE_WORDS =
  "made built executed created designed negative print printed photographed manufactured drawn engraved reprinted published cast revised " +
  "reworked entstanden gebaut erbaut gefertigt hergestellt gedruckt publie imprime bati construit construite eseguito eseguita " +
  "realizzato realizzata stampato stampata costruito costruita hecho impreso construido construida gebouwd vervaardigd gedrukt entwurf ausfuhrung herstellung aufnahme abzug guss " +
  "negativ produktion negatif tirage conception realisation execution fonte negativo stampa ripresa produzione progetto esecuzione realizzazione fusione diseno realizacion ejecucion " +
  "ontwerp uitvoering productie negatief opname afdruk";

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
  since: "since seit ab fruhestens depuis sinds",
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
  half: `half halfte halbjahr h moitie semestre ${PARTS.half}`,
  quarter: `quarter quartal viertel quart trimestre kwartaal ${PARTS.quarter}`,
  third: `drittel tiers quadrimestre cuatrimestre ${PARTS.third}`,
  century:
    "century centuries jh jhs jhd jhds jhdt jhdts jhrdt jhrdts jahrh jahrhundert jahrhunderts jahrhunderte " +
    "jahrhunderten siecle siecles siec secolo secoli sec secc siglo siglos eeuw eeuwen eeuwse eeuws",
  millennium:
    "millennium millennia jahrtausend jahrtausends jahrtausende jt jtsd millenaire millenaires millennio millenni " +
    "milenio milenios",
  decade:
    "annees anni decennio anos decada decadas decenio jaren decade decades decennie decennies decenni decennia jahrzehnt jahrzehnts jahrzehnte decennium",
  bc: "bc",
  ad: "ad",
  skip:
    ". , ( ) [ ] ' the of in on gli an year years im am das der dem den des die zum von vom jahr jahre jahren " +
    "jahres anno du de la le les l d en annee from dated date dat datiert signed signiert signe datato datata firmato firmata " +
    "fechado fechada firmado gedateerd gesigneerd monday tuesday wednesday thursday friday saturday " +
    "sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi " +
    "vendredi samedi dimanche il lo di da dal dall dallo dalla dagli dai del dell dello della dei degli delle nel nell nello nella " +
    "negli lunedi martedi mercoledi giovedi venerdi sabato domenica el los las desde ano lunes martes miercoles jueves " +
    "viernes domingo van vanaf het te uit jaar maandag dinsdag woensdag donderdag vrijdag zaterdag zondag " +
    MADE_WORDS,
};

const { early, mid, late } = WORDS;
const OTHER_CUTS = anyWord(`${early} ${mid} ${late} half halfte moitie viertel quart drittel tiers`);
export const ALL_CUTS = `(?:${CUTS}|${OTHER_CUTS})`;
const OF_YEAR = "\\b\\.?(?: d[a-z']+| of)? ?";
/** "inizio 1900", "finales del 1800", "late 1800" */
export const PART_OF_HUNDRED = new RegExp(`(?<=\\b${ALL_CUTS}${OF_YEAR})((?!20)\\d\\d)00(?!\\d|'?s|er)`, "g");
/** In languages in which such a part is one of the century. */
export const PART_OF_CENTURY = new RegExp(`\\b${CUTS}${OF_YEAR}\\d\\d00`);
/** "early 1900", which is in the early century in any case. */
export const EARLY_HUNDRED = new RegExp(`\\b${anyWord(WORDS.early)}${OF_YEAR}\\d\\d00`);
/** "fine 1899" */
export const PART_OF_YEAR = new RegExp(`\\b${ALL_CUTS}${OF_YEAR}\\d\\d(?!00)\\d\\d\\b`);
const TENS_YEAR = "\\d{3}0(?![\\d'a-z])";
/** "late 1920 – early 1930", "fin des années 1950, début 1960": of the years or of the decades. */
export const PARTS_OF_TENS = [
  `\\b${ALL_CUTS}${OF_YEAR}(?<tens>${TENS_YEAR}).*\\b${ALL_CUTS}${OF_YEAR}(?!\\k<tens>)${TENS_YEAR}`,
  `\\b${ALL_CUTS}\\b.*, ?${ALL_CUTS}${OF_YEAR}${TENS_YEAR}`,
];

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
/** The pattern of a month or season. */
export const MONTH = anyWord(`${MONTHS} ${SEASONS}`);
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
  "\\b(?:later\\w*|earlier|spater\\w*|fruher\\w*|junger\\w*|alter\\w*|jonger\\w*|ouder\\w*|eerder|nachpragung|restrike|herslag|modern\\w* (?:print|cast|impression|copy|abzug|guss|afdruk)|(?:tirage|stampa|copia|impresion) (?:modern[aeo]?|successiva|recente)|ristampa|retirage|reimpresion|nagietsel|neuabzug|neuguss|neudruck|nachguss|nachdruck|herdruk|reprint|ulterieur\\w*|posthum\\w*|plus tard|plus tot|piu tardi|mas tarde|but|aber|maar|mais|ma|pero|" +
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
  "alten? stils?|stile (?:d\\w+|fior|ven|pis|mod|ant)\\w*|stilo|st\\.? fior\\w*|s\\. ?f|[on]\\. ?s|os|calcolo|estilo (?:antiguo|nuevo)|(?:oude|nieuwe) stijl|juli[ae]n\\w*|giulian\\w*|julianisch\\w*|gregor\\w+|" +
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
