/** Reads what museums write in columns of names besides names: "unknown", "attributed to", or the years of a life. */
import { isBefore } from "../../records/dates/apart.ts";
import { parseEdtf } from "../../records/dates/edtf.ts";
import { readWrittenDate } from "../../records/dates/readings.ts";
import { MONTHS, SEASONS, WORDS } from "../../records/dates/words.ts";
import { fold, wordSet, wordsOf } from "../../text.ts";
import { beginsWithAttribution } from "../attribution-words.ts";

/** A longer text is not a name. */
const LONGEST = 200;

const phrases = (...texts: readonly string[]) => new Set(texts.join("|").split("|"));

/** Words that mean "unknown", folded, in the languages of the catalogue. */
const UNKNOWN = wordSet(
  "unknown unidentified anonymous anon unbekannt unbekannte unbekannter unbekanntes unbekannten",
  "anonym anonyme anonymer anonymus inconnu inconnue inconnus",
  "sconosciuto sconosciuta ignoto ignota anonimo anonima anonimi",
  "desconocido desconocida onbekend onbekende anoniem",
);
/** Words that may stand beside these. */
const BESIDE = wordSet(
  "artist author maker manufacturer master painter person photographer place",
  "autor fotograf fotografin hersteller herstellerin in kunstler kunstlerin",
  "maler malerin meister ort herkunft photograph verfasser werkstatt",
  "artiste auteur fabricant lieu maitre peintre personne photographe artisan",
  "artista autore fotografo pittore produttore maestro persona luogo bottega",
  "autora pintor taller lugar fabricante",
  "kunstenaar vervaardiger fotograaf schilder meester plaats persoon atelier",
);
/** Whole texts that mean the same. */
const NAMELESS = phrases(
  "not known|no name|nicht bekannt|ohne namen|non connu|sans nom",
  "non noto|non identificato|no identificado|sin nombre|niet bekend|zonder naam",
  "not identified|nicht identifiziert|nicht ermittelt|non identifie|non identifiee",
  "n n|nn|s n|nomen nescio|sine nomine",
);
/** Texts that mean only that the cell is empty. */
const EMPTY = phrases(
  "n a|not recorded|not stated|not available|none|null",
  "k a|o a|keine angabe|keine angaben|ohne angabe|ohne angaben|ohne",
  "nicht angegeben|nicht erfasst|keine|keiner|n c|n r|non renseigne|non indique|aucun|aucune",
  "non indicato|non rilevato|nessuno|nessuna|no consta|no indicado|sin datos|ninguno",
  "niet ingevuld|niet vermeld|n v t|geen",
);
/** Initials of a person or place: N.C. is North Carolina, but n. c. is "non connu". */
const MONOGRAM = /^(?!N\.\s?[AN]\.)(?:\p{Lu}\.\s?){2}$/u;

/** Whether the text names nobody: it says that the person is unknown, or says nothing (`empty`). */
export function nobodyIn(text: string): "unknown" | "empty" | null {
  if (text.length > 100) return null;
  const words = wordsOf(text);
  const all = words.join(" ");
  if (MONOGRAM.test(text)) return null;
  if (/^[\p{P}\s]+$/u.test(text) || EMPTY.has(all)) return "empty";
  if (NAMELESS.has(all)) return "unknown";
  const others = words.filter((word) => !UNKNOWN.has(word));
  return others.length < words.length && others.every((word) => BESIDE.has(word)) ? "unknown" : null;
}

const ATTRIBUTED =
  "(?:zugeschrieben(?:e[rs]?)?|zuschreibung|zugeschr\\.|attributed|attr(?:ib)?\\.|attribué?e?|attribution|attribuit[oa]|attribuzione|" +
  "atribuid[oa]|atribuci[oó]n|toegeschreven|toeschrijving)(?:\\s+(?:an|to|[aà]|aan))?";
const ATTRIBUTED_BEFORE = new RegExp(`^${ATTRIBUTED}(?:\\s*:\\s*|\\s+)(?=\\p{L})(.+)$`, "iu");
const ATTRIBUTED_AFTER = new RegExp(
  `^(.*\\p{L}.*?)\\s*(?:[([]${ATTRIBUTED}[)\\]]|[,;]\\s*${ATTRIBUTED})$`,
  "iu",
);

/** The name in `zugeschrieben: Anton Sedlmayr` or `Anton Sedlmayr (attr.)`; null without such words. */
export function attributedIn(text: string): string | null {
  if (text.length > LONGEST) return null;
  return (ATTRIBUTED_BEFORE.exec(text) ?? ATTRIBUTED_AFTER.exec(text))?.[1] ?? null;
}

/**
 * `unknown`: the field of the imported record for words such as "unknown". `birth`, `death`, `active`: fields of the linked
 * record. `ofFirm`: the names are those of firms or other groups. `person`: the subtype of records that are created for names
 * with years of a life.
 */
export type NameFields = {
  unknown?: string;
  birth?: string;
  death?: string;
  active?: string;
  ofFirm?: true;
  person?: string;
};

/** Words in names of firms and other groups, folded. Words that are surnames too, such as "Guerra" and "Haus", are left out. */
const OF_FIRMS = wordSet(
  "academy airways army association brewery bros brothers co collection college company corporation " +
    "council excavation exhibition expedition factory family foundry galleries gallery government hms inc " +
    "institute institution investigations kingdom ltd ministry mint navy observatory photo photos porcelain " +
    "pottery press railway railways regiment republic school society sons studios survey theatre union " +
    "university uss workshop workshops",
  "ag akademie ausstellung bundespost familie firma foto fotografie galerie gebr gebruder " +
    "genossenschaft gmbh grabung kg kunstlergruppe ministerium " +
    "munze munzstatte nachlass partei regierung reichspost republik slg sms sohne staatliche " +
    "staatliches theater universitat vereinigte werkbund witwe wwe ziegelei",
  "agence armee ateliers banque cie collection commune compagnie cristallerie ecole editions " +
    "etablissements ets exposition fabrique faiencerie famille fonderie freres imagerie imprimerie librairie " +
    "lithographie lycee maison manufacture ministere musee orfevrerie photographie porcelaines republique " +
    "royaume societe universite verrerie",
  "accademia agenzia bottega casa ceramiche collezione compagnia comune cooperativa ditta edizioni " +
    "esercito esposizione fabbrica famiglia figli flli fonderia fratelli galleria granducato istituto " +
    "libreria litografia manifattura ministero museo officina officine repubblica scuola societa spa " +
    "spedizione srl stabilimento stamperia teatro tipografia universita vetreria",
  "academia ayuntamiento ceca coleccion compania editorial ejercito escuela estudio expedicion exposicion " +
    "fabrica familia fundicion galeria hermanos hijos hnos imprenta instituto ministerio sociedad taller " +
    "talleres universidad viuda",
  "academie bv expeditie gebroeders gemeente genootschap koninklijke maatschappij ministerie nv " +
    "rijksmunt spoorwegen vereniging zonen",
);

/** Not "Althaus", "Handel", "Mérei". */
const FIRM_ENDS = new RegExp(
  "(?:atelier|studio|verlag|fabrik|manufaktur|werke|works|anstalt|handlung|glashutte|werkstatt(?:en?)?|gesellschaft|verein|schule|institut|" +
    "museum|sammlung|\\w{3}erei|erij|fabriek|(?:kunst|buch|boek|wein|wijn|holz|hout)handel|(?:reichs|bundes|eisen|strassen)bahn|" +
    "(?:konig|kaiser)reich|(?:auktions|bank|bau|foto|handels|kauf|mode|musik|photo|schuh|versand|waren|zeug)haus)$",
);
/** Together only: there are people called Guild, Zecca, Banco, Reich, and Dumas fils. */
const FIRM_PHRASE =
  /\b(?:et fils|y cia|guild of|house of|workers guild|chemins de fer|deutsches reich|reino de|regno d\w*|zecca d\w*|(?:bank|banca|banco) (?:of|d\w*))\b/;

/** Whether the text names a firm or group, so that years after it are not those of a life. */
export function isFirm(text: string): boolean {
  const words = wordsOf(text);
  const isOne = (word: string) => OF_FIRMS.has(word) || FIRM_ENDS.test(word);
  return text.includes("&") || words.some(isOne) || FIRM_PHRASE.test(words.join(" "));
}

/** A name with the years of a life. `birth`, `death`: EDTF. `active`: as written. */
type Life = { name: string; birth?: string; death?: string; active?: string };

const ABOUT =
  "(?:(?:ca?|circa|zirka|um|etwa|vor|nach|about|around|before|after|vers|env|environ|avant|apr[eè]s|verso il|" +
  "prima del|dopo il|h(?=\\.)|hacia|antes de|despu[eé]s de|omstreeks|v[oó]{2}r|na)\\.?\\s*)?";
const DAY = "(?:\\d{1,2}\\.?\\s*(?:\\d{1,2}\\.|\\p{L}{3,9}\\.?)\\s*)?";
const DATE = `${ABOUT}${DAY}\\d{4}(?:\\s?(?:\\?|ca?\\.|circa|env\\.))?`;
const BORN = "(?:\\*|geb(?:oren|\\.)?|born|b\\.|née?(?:\\s+en)?|nat[oa](?:\\s+nel)?|nacid[oa](?:\\s+en)?)";
const DIED =
  "(?:[†✝+]|gest(?:orben|\\.)?|died|d\\.|mort[eoa]?(?:\\s+nel)?|fallecid[oa](?:\\s+en)?|overl(?:eden|\\.)?)";
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
const MONTH = new RegExp(`, *(?:${MONTHS.replaceAll(" ", "|")}|${SEASONS.replaceAll(" ", "|")})\\.?$`);

/** Offices that people hold for some years, and words for reigns, folded. */
const OFFICES = wordSet(
  "abbot ambassador apprentice archbishop bishop chairman consul curator director emperor empress governor " +
    "headmaster keeper king mayor member minister owner pope president proprietor queen rector reign reigned " +
    "ruled ruler secretary student sultan treasurer tsar vicar viceroy warden",
  "abt amtszeit eigentumer furst grossherzog herzog inhaber intendant kaiser kaiserin kanzler kaplan konig " +
    "konigin kurator kurfurst landgraf landrat lehrling leiter markgraf mitglied papst pastor reg regierte regierungszeit " +
    "rektor schuler statthalter vikar vorsitzender zar",
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
const OFFICE = /(, *)?(\p{L}+)(?: (of|von|van|de|del|di|du)(?!\p{L}))?/gu;

/** Offices stand in lower case or behind a comma: "Bishop, John" is a name. */
const holdsOffice = (name: string): boolean =>
  [...name.matchAll(OFFICE)].some(([, comma, written = "", of]) => {
    const word = fold(written);
    const isOffice = OFFICES.has(word) || OFFICE_ENDS.test(word);
    return isOffice && (/^\p{Ll}/u.test(written) || (comma && (of || !GIVEN.has(word))));
  });

/** "Louis XIV", "Pius IX.", "Elizabeth I", "Queen Anne", whose years may be a reign; not "John V. Smith" and "Bruegel, Pieter II". */
const RULER = /^[^,]*\p{L} (?:[IVX]{2,}(?![\p{L}\p{N}])|[IVX](?![\p{L}\p{N}]|\.? \p{Lu}))/u;
const TITLED =
  /^(?:Emperor|Empress|Kaiser(?:in)?|König(?:in)?|Queen|King|Zar|Tsar|Papst|Pope|Pape|Papa|Re|Roi|Rey|Reina|Regina|Keizer|Koning(?:in)?|Sultan|Doge) \p{Lu}[^,]*$/u;
const PARTNERS = /\p{L} (?:and|und|et|e|en) \p{Lu}/u;
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

/** Of nobody, of several, or of a work: "Unknown", "Currier and Ives", "Umkreis Rembrandt". */
const isOfOthers = (name: string): boolean =>
  nobodyIn(name) !== null || PARTNERS.test(name) || beginsWithAttribution(wordsOf(name));

function lived(before: string, written: string, gap: Gap, isGroup: boolean): Life | null {
  const name = before.trim();
  const text = written.trim();
  // years in the name: two people, or "1811 or 1812-1869"
  if (!/\p{L}{2}/u.test(name) || /\d{3}/.test(name) || endsInWord(name, gap) || OF_ACTIVITY.test(name))
    return null;
  if (WORKED.test(text) || WAS_NAMED.test(text.charAt(0).toLowerCase() + text.slice(1)))
    return { name, active: text };
  const isInitial = INITIAL.test(text);
  const years = gap === "brackets" ? text.replace(SLASH, "$1-") : text;
  const range = isInitial && gap !== "brackets" ? null : RANGE.exec(years);
  const found = range ?? (isInitial ? null : MARKED.exec(text));
  const [birth, death] = [found?.[1], found?.[2]].map((date) =>
    date === undefined ? undefined : edtfOf(date),
  );
  if ((birth ?? death) === undefined || birth === null || death === null) return null;
  if (birth !== undefined && death !== undefined && isBefore(death, birth)) return null;
  if (!isGroup && isOfOthers(name)) return null;
  // "Schmidt, Karl, Meister 1750-1780"
  const isMaster = gap === "blank" && /,.*,(?! *(?:Jr|Sr)\b)/u.test(name);
  const mayBeOffice = isMaster || holdsOffice(name) || RULER.test(name) || TITLED.test(name);
  // "1626-?" ended some day, "1710-" has not
  const end = range && range[2] === undefined ? "" : death;
  if (range && !isGroup && (mayBeOffice || !isOneLife(birth, end))) return null;
  return { name, ...(birth === undefined ? {} : { birth }), ...(death === undefined ? {} : { death }) };
}

/** Whether the text ends in a word that belongs to the years. Before a comma, "Early", "August" and "von" are of the name. */
function endsInWord(name: string, gap: Gap): boolean {
  if (gap === "blank" && MONTH.test(name.toLowerCase())) return true;
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
