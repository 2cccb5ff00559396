/** Reads what museums write in columns of names besides names: "unknown", "attributed to", or the years of a life. */
import { isBefore } from "../../records/dates/apart.ts";
import { readWrittenDate } from "../../records/dates/readings.ts";
import { MONTHS, SEASONS, WORDS } from "../../records/dates/words.ts";
import { wordSet, wordsOf } from "../../text.ts";

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

/** Words in names of firms and other groups, folded. */
const OF_FIRMS = wordSet(
  "brothers co company family inc ltd regiment society sons workshop",
  "ag familie firma gebruder gesellschaft gmbh kg sohne verein werkstatt",
  "cie famille freres manufacture societe bottega ditta famiglia fratelli manifattura societa srl spa",
  "compania familia fabrica hermanos hijos sociedad taller",
  "foto photo photographie fotografie agence agenzia museum mint munze",
  "werkstatte gebr factory pottery works press bros",
  "ateliers maison imprimerie editions etablissements ets fonderie faiencerie cristallerie",
  "casa tipografia edizioni stabilimento officina officine fonderia flli",
  "imprenta editorial fundicion hnos viuda talleres uitgeverij",
  "bv gebroeders maatschappij nv vereniging zonen",
);

const FIRM_ENDS = /(?:atelier|studio|verlag|fabrik|manufaktur|druckerei|fabriek|drukkerij)$/;

/** Whether the text names a firm or group, so that years after it are not those of a life. */
export const isFirm = (text: string): boolean =>
  text.includes("&") || wordsOf(text).some((word) => OF_FIRMS.has(word) || FIRM_ENDS.test(word));

/** A name with the years of a life. `birth`, `death`: EDTF. `active`: as written. */
type Life = { name: string; birth?: string; death?: string; active?: string };

const ABOUT =
  "(?:(?:ca?|circa|zirka|um|etwa|vor|nach|about|around|before|after|vers|env|environ|avant|apr[eè]s|verso il|" +
  "prima del|dopo il|hacia|antes de|despu[eé]s de|omstreeks|v[oó]{2}r|na)\\.?\\s*)?";
const DAY = "(?:\\d{1,2}\\.?\\s*(?:\\d{1,2}\\.|\\p{L}{3,9}\\.?)\\s*)?";
const DATE = `${ABOUT}${DAY}\\d{4}(?:\\s?\\?)?`;
const BORN = "(?:\\*|geb(?:oren|\\.)?|born|b\\.|née?(?:\\s+en)?|nat[oa](?:\\s+nel)?|nacid[oa](?:\\s+en)?)";
const DIED =
  "(?:[†✝+]|gest(?:orben|\\.)?|died|d\\.|mort[eoa]?(?:\\s+nel)?|fallecid[oa](?:\\s+en)?|overl(?:eden|\\.)?)";
const ACTIVE =
  "(?:fl\\.?|floruit|active|act\\.|tätig|aktiv|actif|en activité|attiv[oa]|documentat[oa]|activ[oa]|actief|werkzaam)";
const RANGE = new RegExp(`^(${DATE}|\\?)?\\s*[–—-]\\s*(${DATE}|\\?)?$`, "iu");
const MARKED = new RegExp(`^(?:${BORN}\\s*(${DATE}))?\\s*[,;/–—-]?\\s*(?:${DIED}\\s*(${DATE}))?$`, "iu");
const WORKED = new RegExp(`^${ACTIVE}\\s+[^()]*\\d{3,4}[^()]*$`, "iu");
const IN_BRACKETS = /^(.*?)[\s,;]*[([]([^()[\]]+)[)\]]$/u;
/** An initial, not "born" or "died". */
const INITIAL = /[BD]\./;
/** The gaps after which the dates may begin. */
const PARTS = /[\s,;]+/gu;
/** Dates are searched for in this many last parts of a text. */
const MOST_PARTS = 12;

/** Words before a year. A name does not end with them: "Smith, John, approximately 1811-1869", "…, 1811 or 1812-1869". */
const { circa, maybe, or, and, between, before, by, after, since, until, early, mid, late } = WORDS;
const BEFORE_YEARS = wordSet(
  `${circa} ${maybe} ${or} ${and} ${between} ${before} ${by} ${after} ${since} ${until} ${early} ${mid} ${late}`,
  "flourished nachgewiesen nachweisbar erwahnt genoemd of en from von kurz kort soon peu not nicht niet r reg reigned",
  "regeerde working documented mayor student burgemeester lid",
);
const MONTH = new RegExp(`, *(?:${MONTHS.replaceAll(" ", "|")}|${SEASONS.replaceAll(" ", "|")})\\.?$`);
const isOfYears = (name: string): boolean =>
  MONTH.test(name.toLowerCase()) || (BEFORE_YEARS.has(wordsOf(name).at(-1)!) && !/[\s,]\p{Lu}$/u.test(name));

/** Separates a name from the years of a life after it; null if there are none, or if they cannot be read with certainty. */
export function lifeIn(text: string): Life | null {
  if (text.length > LONGEST || !/\d{3}/.test(text)) return null;
  const bracketed = IN_BRACKETS.exec(text);
  if (bracketed) return lived(bracketed[1]!, bracketed[2]!);
  for (const { index, 0: gap } of [...text.matchAll(PARTS)].slice(-MOST_PARTS)) {
    const found = lived(text.slice(0, index), text.slice(index + gap.length));
    // "-1912" alone may be a number
    if (found && !/^[–—-]/.test(text.slice(index + gap.length))) return isOfYears(found.name) ? null : found;
  }
  return null;
}

function lived(before: string, written: string): Life | null {
  const name = before.trim();
  const text = written.trim();
  // years in the name: two people, or "1811 or 1812-1869"
  if (!/\p{L}{2}/u.test(name) || /\d{3}/.test(name)) return null;
  if (WORKED.test(text)) return { name, active: text };
  const found = RANGE.exec(text) ?? (INITIAL.test(text) ? null : MARKED.exec(text));
  const [birth, death] = [found?.[1], found?.[2]].map((date) =>
    date === undefined ? undefined : edtfOf(date),
  );
  if ((birth ?? death) === undefined || birth === null || death === null) return null;
  if (birth !== undefined && death !== undefined && isBefore(death, birth)) return null;
  return { name, ...(birth === undefined ? {} : { birth }), ...(death === undefined ? {} : { death }) };
}

/** The date in EDTF. Undefined for `?`, which says nothing; null if the text is not a date. */
const edtfOf = (date: string): string | undefined | null =>
  date.trim() === "?" ? undefined : (readWrittenDate(date, "de")?.edtf ?? null);
