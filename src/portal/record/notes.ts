/** The notes of links, for example roles, which are shown by the names of their terms. */
import type { Language } from "../../messages/translate.ts";
import { labelText, type Text } from "../../pages/texts.ts";
import { NOTES_OF_TERMS, ROLES } from "../../records/links/attributions.ts";
import { labelsOfTerms, termKey } from "../../records/public/terms.ts";
import type { Entry, Metadata } from "../../records/record.ts";
import type { Sql } from "../../services.ts";

/** Returns a function that puts a note into the reader's language. `links`: the metadata_ of all links of the page. */
export async function notesInWords(
  sql: Sql,
  language: Language,
  links: readonly Metadata[],
): Promise<(name: string, entry: Entry) => Text> {
  const roles = links.flatMap(({ role = [] }) => role.map(({ value }) => ({ vocabulary: ROLES, value })));
  const known = await labelsOfTerms(sql, roles);
  return (name, entry) => {
    const labels = known.get(termKey(NOTES_OF_TERMS[name], entry.value));
    return labels ? labelText(labels, language, entry.value) : entry;
  };
}
