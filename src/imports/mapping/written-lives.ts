/** Separates names from the years of a life behind them. */
import { isBefore } from "../../records/dates/apart.ts";
import { parseEdtf } from "../../records/dates/edtf.ts";
import { readWrittenDate } from "../../records/dates/readings.ts";
import { MONTH, WORDS } from "../../records/dates/words.ts";
import { fold, wordSet } from "../../text.ts";
import { hasAttribution } from "../attribution-words.ts";
import { isFirm } from "./firms.ts";
import { isNameless, LONGEST } from "./written-names.ts";

/** A name with the years of a life. `birth`, `death`: EDTF. `active`: as written. */
type Life = { name: string; birth?: string; death?: string; active?: string };

const ABOUT =
  "(?:(?:ca?|circa|zirka|um|etwa|vor|nach|about|around|before|after|vers|env|environ|avant|apr[eè]s|verso il|" +
  "prima del|dopo il|h(?=\\.)|hacia|antes de|despu[eé]s de|omstreeks|v[oó]{2}r|na)\\.?\\s*)?";
const DAY = "(?:\\d{1,2}\\.?\\s*(?:\\d{1,2}\\.|\\p{L}{3,9}\\.?)\\s*)?";
const DATE = `${ABOUT}${DAY}\\d{4}(?:\\s?(?:\\?|ca?\\.|circa|env\\.))?`;
const BORN = "(?:\\*|geb(?:oren|\\.)?|born|b\\.|née?(?:\\s+en)?|nat[oa](?:\\s+nel)?|nacid[oa](?:\\s+en)?)";
const DIED =
  "(?:[†✝+]|gest(?:orben|\\.)?|died|d\\.|mort[eoa]?(?:\\s+(?:nel|en))?|décédée?(?:\\s+en)?|(?:fallecid|muert)[oa](?:\\s+en)?|overl(?:eden|\\.)?)";
const ACTIVE =
  "fl\\.?|floruit|flourished|active|act\\.|working|tätig|aktiv|actif|en activité|attiv[oa]|documentat[oa]|activ[oa]|actief|werkzaam";
/** Words that say that papers name somebody. Years must follow: "documenté de 1750 à 1780", not "connu sous le nom de Max". */
const NAMED =
  "documented|nachweisbar|nachgewiesen|erwähnt|erw\\.|documentée?|connue?|citée?|mentionnée?|exposa|expose|exerce|att\\.|doc\\.|not\\.|notizie|" +
  "operante|operos[oa]|men[cz]ionat[oa]|mencionad[oa]|documentad[oa]|citad[oa]|conocid[oa]|trabajó|vermeld|genoemd";
const RANGE = new RegExp(`^(${DATE}|\\?)?\\s*[–—-]\\s*(${DATE}|\\?)?$`, "iu");
/** "1575/ 1642", in brackets. */
const SLASH = /^([^/]*\d{4}[^/]*)\/(?=[^/]*\d{4})/;
const MARKED = new RegExp(`^(?:${BORN}\\s*(${DATE}))?\\s*[,;/–—-]?\\s*(?:${DIED}\\s*(${DATE}))?$`, "iu");
const WORKED = new RegExp(`^(?:${ACTIVE})\\s+[^()]*\\d{3,4}[^()]*$`, "iu");
const WAS_NAMED = new RegExp(
  `^(?:${NAMED})(?:\\s+|(?<=\\.))(?:\\p{Ll}[\\p{Ll}.'’]*\\s+){0,3}\\d{3,4}[^()]*$`,
  "u",
);
const OF_ACTIVITY = new RegExp(`[\\s,](?:${ACTIVE}|${NAMED})(?![\\p{L}\\p{N}])`, "iu");
const IN_BRACKETS = /^(.*?)[\s,;]*[([]([^()[\]]+)[)\]]$/u;
/** An initial, not "born", "died" or "circa". */
const INITIAL = /[BD]\.|^[CH]\./;
/** The gaps after which the dates may begin. */
const PARTS = /[\s,;]+/gu;
/** Dates are searched for in this many last parts of a text. */
const MOST_PARTS = 12;

/** Words before a year. A name does not end with them: "Smith, John, approximately 1811-1869", "…, 1811 or 1812-1869". */
const { circa, maybe, or, and, between, before, by, after, since, until, early, mid, late } = WORDS;
const BEFORE_YEARS = new Set(
  (
    `${circa} ${maybe} ${or} ${and} ${between} ${before} ${by} ${after} ${since} ${until} ${early} ${mid} ${late} ` +
    "of en from von kurz kort soon peu not nicht niet r h n"
  ).split(" "),
);
const ENDS_IN_MONTH = new RegExp(`, *${MONTH}\\.?$`);

/** Offices that people hold for some years, and words for reigns, folded. */
const OFFICES = wordSet(
  "abbot ambassador apprentice archbishop bishop chairman consul curator director emperor empress governor " +
    "headmaster keeper king mayor member minister owner pope president prince princess proprietor queen rector reign " +
    "reigned ruled ruler secretary shah student sultan treasurer tsar vicar viceroy warden",
  "abt amtszeit eigentumer furst furstbischof furstin grossherzog herzog herzogin inhaber intendant kaiser kaiserin " +
    "kanzler kaplan konig konigin kurator kurfurst kurfurstin landgraf landrat lehrling leiter markgraf mitglied papst pastor prinz prinzessin prinzregent reg regierte regierungszeit " +
    "rektor schah schuler statthalter vikar vorsitzender zar",
  "apprenti archeveque conservateur cure directrice doge empereur eveque gouverneur imperatrice maire " +
    "maitre membre ministre pape pontificat prefet proprietaire recteur regna regne reine roi secretaire viceroi",
  "allievo ambasciatore apprendista arcivescovo conservatore console direttore direttrice duca governatore " +
    "granduca imperatore membro ministro papa papato podesta pontefice pontificato prefetto " +
    "presidente proprietario re regina regno rettore segretario sindaco vescovo vicere",
  "alcalde alumno aprendiz arzobispo conservador corregidor cura directora embajador emperador gobernador " +
    "miembro obispo parroco pontificado propietario reina reinado rey secretario virrey",
  "conservator eigenaar keizer keizerin koning koningin leerling lid pastoor paus regeerde stadhouder " +
    "voorzitter wethouder",
);
const OFFICE_ENDS =
  /(?:besitzer|bischof|bisschop|burgemeester|burgermeister|directeur|direktor|minister|pfarrer|prasident)$/;
/** Given names, too, behind the comma. */
const GIVEN = new Set(["king", "pastor", "queen", "reg", "regina", "reina", "rey", "sultan"]);
/** A word before a name. Reg and Regina are given names there. */
const BEFORE_NAME = /^(?!Reg |Regina )\p{L}+ [^,]*$/u;
const OFFICE = /(, *)?(\p{L}+)(?: (of|von|van|de|del|di|du)(?!\p{L}))?/gu;

/** Offices stand in lower case, behind a comma or before a name: "Queen Anne". "Bishop, John" is a name. */
const holdsOffice = (name: string): boolean =>
  [...name.matchAll(OFFICE)].some(({ index, 1: comma, 2: written = "", 3: of }) => {
    const word = fold(written);
    if (!OFFICES.has(word) && !OFFICE_ENDS.test(word)) return false;
    if (/^\p{Ll}/u.test(written)) return true;
    return comma ? of || !GIVEN.has(word) : index === 0 && BEFORE_NAME.test(name);
  });

/** What says more than the name: "(after)", ", clockmaker", " –", ", copia da", "Entwurf:", ", 12 High Street". */
const LEFT_OVER =
  /[([]\p{Ll}|,\s*(?!(?:d\.|der|die|de|den|le|la|l['’]|the|il|el|dit|gen\.|genannt|called|van|von|zu)(?!\p{L}))\p{Ll}[^,]*(?:,|$)|[–—-]$|[:?\d]/u;
/** "Spode", "WMF", "Kangxi", "Victoria": with mere years, of a firm, a state or a ruler as well as of a person. */
const ONE_WORD = /^[\p{L}.’'-]+$/u;
const MERE_YEARS = /^\d{4}\s*[–—-]\s*(?:\d{4})?$/;

/** "Louis XIV", "Pius IX.", "Elizabeth I", "Queen Anne", whose years may be a reign; not "John V. Smith" and "Bruegel, Pieter II". */
const RULER =
  /^[^,]*\p{L} (?:[IVX]{2,}(?![\p{L}\p{N}])|[IVX](?![\p{L}\p{N}]|\.? \p{Lu})|(?:I?er|1er)(?!\p{L})|(?:der Große|the Great|le Grand|il Grande|el Grande|de Grote)$)/u;
/** Masters whose names are lost, known for the years of their works: "Meister der Heiligen Sippe". */
const NOTNAME =
  /^(?:(?:Master|Meister|Maître|Maestro|Meester) (?:of|der|des|von|de|du|del|di|van)(?!\p{L})|Monogrammist)/u;
/** Several people, one after another, or what one did: "Sold by John Smith". */
export const PARTNERS =
  /[\p{L}.] (?:and|und|u\.|et|e|en|or|oder|ou|bzw\.|sowie|mit|with|avec|met|[+–—-]) (?:\p{Lu}|mevr)|\p{L} (?:after|nach|naar|d['’]après|by) |\by Sra\b|\p{L} y \p{Lu}\p{L}+ \p{Lu}|\p{L} ?[/;] ?\p{L}/u;
/** Days. Fewer are those of an office or a voyage, more those of a firm. */
const SHORTEST_LIFE = 12 * 366;
const LONGEST_LIFE = 110 * 366;
const DAY_LENGTH = 86_400_000;

/** How the years are set off from the name. */
type Gap = "brackets" | "comma" | "blank";

/** Separates a name from the years of a life after it; null if there are none, or if they cannot be read with certainty. @param isGroup whose years may be few */
export function lifeIn(text: string, isGroup = isFirm(text)): Life | null {
  if (text.length > LONGEST || !/\d{3}/.test(text)) return null;
  const bracketed = IN_BRACKETS.exec(text);
  if (bracketed) return lived(bracketed[1]!, bracketed[2]!, "brackets", isGroup);
  for (const { index, 0: gap } of [...text.matchAll(PARTS)].slice(-MOST_PARTS)) {
    const written = text.slice(index + gap.length);
    // "-1912" alone may be a number
    if (/^[–—-]/.test(written)) continue;
    const found = lived(text.slice(0, index), written, gap.trim() === "" ? "blank" : "comma", isGroup);
    if (found) return found;
  }
  return null;
}

/** Whether a name is not that of one known person: "Unknown", "Currier and Ives", "Umkreis Rembrandt". */
const isOfOthers = (name: string): boolean => isNameless(name) || PARTNERS.test(name) || hasAttribution(name);

function lived(before: string, written: string, gap: Gap, isGroup: boolean): Life | null {
  const name = before.trim();
  const text = written.trim();
  if (!isGroup && (isOfOthers(name) || LEFT_OVER.test(name))) return null;
  // years in the name: two people, or "1811 or 1812-1869"
  if (!/\p{L}{2}/u.test(name) || /\d{3}/.test(name) || endsInWord(name, gap) || OF_ACTIVITY.test(name))
    return null;
  if (WORKED.test(text) || WAS_NAMED.test(text.charAt(0).toLowerCase() + text.slice(1)))
    return { name, active: text };
  const isInitial = INITIAL.test(text);
  const years = (gap === "brackets" ? text.replace(SLASH, "$1-") : text).replace(/(?<=\d)\.$/, "");
  const range = isInitial && gap !== "brackets" ? null : RANGE.exec(years);
  const found = range ?? (isInitial ? null : MARKED.exec(text));
  const [birth, death] = [found?.[1], found?.[2]].map((date) =>
    date === undefined ? undefined : edtfOf(date),
  );
  if ((birth ?? death) === undefined || birth === null || death === null) return null;
  if (birth !== undefined && death !== undefined && isBefore(death, birth)) return null;
  // "Schmidt, Karl, Meister 1750-1780"
  const isMaster = gap === "blank" && /,.*,(?! *(?:Jr|Sr)\b)/u.test(name);
  const mayBeOffice =
    isMaster ||
    holdsOffice(name) ||
    RULER.test(name) ||
    NOTNAME.test(name) ||
    (ONE_WORD.test(name) && MERE_YEARS.test(years));
  // "1626-?" ended some day, "1710-" has not
  const end = range && range[2] === undefined ? "" : death;
  if (range && !isGroup && (mayBeOffice || !isOneLife(birth, end))) return null;
  return { name, ...(birth === undefined ? {} : { birth }), ...(death === undefined ? {} : { death }) };
}

/** Whether the text ends in a word that belongs to the years. Before a comma, "Early", "August" and "von" are of the name. */
function endsInWord(name: string, gap: Gap): boolean {
  if (gap === "blank" && ENDS_IN_MONTH.test(name.toLowerCase())) return true;
  const [, last = ""] = /(?<!\p{L})(\p{L}+)\.?$/u.exec(name) ?? [];
  if (!BEFORE_YEARS.has(fold(last)) || /^\p{Lu}$/u.test(last)) return false;
  return gap === "blank" || (/^\p{Ll}/u.test(last) && last !== "von" && last !== "of");
}

/** Whether the time between two dates may be that of a life. @param death empty for one that goes on */
function isOneLife(birth: string | undefined, death: string | undefined): boolean {
  if (birth === undefined || death === undefined) return true;
  const [from, to] = [parseEdtf(birth), parseEdtf(death)];
  const longest = (to?.latestDay ?? Infinity) - (from?.earliestDay ?? -Infinity);
  const shortest =
    (death === "" ? Date.now() / DAY_LENGTH : (to?.earliestDay ?? -Infinity)) - (from?.latestDay ?? Infinity);
  return longest >= SHORTEST_LIFE && shortest <= LONGEST_LIFE;
}

/** The date in EDTF. Undefined for `?`, which says nothing; null if the text is not a date. */
const edtfOf = (date: string): string | undefined | null =>
  date.trim() === "?" ? undefined : (readWrittenDate(date, "de")?.edtf ?? null);
