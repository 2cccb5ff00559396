/**
 * Values of the facet of makers: the id of the record and the qualifier of the link. `<id>`: made by; `<id>.workshop_of`: a term;
 * `<id>.~Hand%20des`: free words. Terms and words are percent-encoded, because a comma separates values.
 */
import { UUID } from "../ids.ts";
import { partedNotes } from "../records/links/attributions.ts";
import { bestTitle, type Metadata } from "../records/record.ts";
import { beginning } from "../text.ts";

/** The parameter, and the name of the facet in answers. */
export const MAKER = "maker";

const ID_LENGTH = 36;
/** Free words are cut after this many characters. */
const MOST_WORDS = 100;

export function makerValue(id: string, metadata: Metadata): string {
  const { qualifier, qualifier_text } = partedNotes(metadata).qualifying;
  const words = bestTitle(qualifier_text, []);
  if (words !== null) return `${id}.~${encodeURIComponent(beginning(words, MOST_WORDS))}`;
  const term = qualifier?.[0]?.value;
  return term === undefined ? id : `${id}.${encodeURIComponent(term)}`;
}

/** The record and the notes of its link; null if the value has another form. */
export function makerOf(value: string): { id: string; metadata: Metadata } | null {
  const [id, said] = [value.slice(0, ID_LENGTH).toLowerCase(), value.slice(ID_LENGTH)];
  if (!UUID.test(id) || (said !== "" && !said.startsWith("."))) return null;
  if (said === "") return { id, metadata: {} };
  const isWords = said.startsWith(".~");
  const entry = [{ value: decoded(said.slice(isWords ? 2 : 1)) }];
  return { id, metadata: isWords ? { qualifier_text: entry } : { qualifier: entry } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
