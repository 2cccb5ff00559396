/** Reads what museums write in columns of names besides names: "unknown". Years are read in written-lives.ts, attributions in written-attributions.ts. */
import { phraseSet, wordSet, wordsOf } from "../../text.ts";

/** A longer text is not a name. */
export const LONGEST = 200;

/** Words that mean "unknown", folded, in the languages of the catalogue. */
const UNKNOWN = wordSet(
  "unknown unidentified anonymous anon unbekannt unbekannte unbekannter unbekanntes unbekannten",
  "anonym anonyme anonymer anonymus inconnu inconnue inconnus",
  "sconosciuto sconosciuta ignoto ignota anonimo anonima anonimi",
  "desconocido desconocida onbekend onbekende anoniem unbek",
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
  "sitter donor publisher printer drucker verlag spender editeur imprimeur donateur editore stampatore donatore",
  "editor impresor donante uitgever drukker schenker",
);
/** Whole texts that mean the same. */
const NAMELESS = phraseSet(
  "not known|no name|nicht bekannt|ohne namen|non connu|sans nom",
  "non noto|non identificato|no identificado|sin nombre|niet bekend|zonder naam",
  "not identified|nicht identifiziert|nicht ermittelt|non identifie|non identifiee",
  "n n|nn|s n|nomen nescio|sine nomine",
);
/** Texts that mean only that the cell is empty. */
const EMPTY = phraseSet(
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
  const rest = words.filter((word) => !BESIDE.has(word));
  const isUnknown =
    NAMELESS.has(rest.join(" ")) || (rest.length > 0 && rest.every((word) => UNKNOWN.has(word)));
  return isUnknown ? "unknown" : null;
}

/** Whether a name says that its bearer is unknown: "Anonimo fiorentino". */
export const isNameless = (name: string): boolean => wordsOf(name).some((word) => UNKNOWN.has(word));

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
