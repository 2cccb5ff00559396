/**
 * Values of the facet of makers: the id of the record, and how the link qualifies it. `<id>`: made by; `<id>.workshop_of`: a term;
 * `<id>.~Hand%20des`: words that no term says. Terms and words are percent-encoded, because parameters have commas between values.
 */
import { UUID } from "../ids.ts";
import { partedNotes } from "../records/links/attributions.ts";
import { bestTitle, type Metadata } from "../records/record.ts";
import { beginning } from "../text.ts";

/** The parameter, and the name of the facet in answers. */
export const MAKER = "maker";

const ID_LENGTH = 36;
/** Characters of the words; longer ones are cut. */
const MOST_WORDS = 100;

export function makerValue(id: string, metadata: Metadata): string {
  const { qualifier, qualifier_text } = partedNotes(metadata).qualifying;
  const words = bestTitle(qualifier_text, []);
  if (words !== null) return `${id}.~${encodeURIComponent(beginning(words, MOST_WORDS))}`;
  const term = qualifier?.[0]?.value;
  return term === undefined ? id : `${id}.${encodeURIComponent(term)}`;
}

/** The record, and what its link says of it; null if the value is not one of these. */
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
