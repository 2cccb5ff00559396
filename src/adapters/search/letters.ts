/** One letter for each type and state, so that the rows of the index stay narrow. */

const KIND: Record<string, string> = {
  object: "o",
  entity: "e",
  place: "p",
  occurrence: "c",
  procedure: "r",
  collection: "l",
  storage_location: "s",
};
const STATUS: Record<string, string> = { draft: "d", internal: "i", public: "p" };
const COLLECTION_STATUS: Record<string, string> = {
  active: "a",
  pending: "p",
  on_loan_in: "i",
  on_loan_out: "o",
  deaccessioned: "d",
  returned: "r",
};

function letter(table: Record<string, string>, name: string): string {
  const found = table[name];
  if (found === undefined) throw new Error(`The search index has no letter for ${name}`);
  return found;
}

export const KIND_LETTERS: readonly string[] = Object.values(KIND);
export const kindLetter = (kind: string) => letter(KIND, kind);
export const statusLetter = (status: string) => letter(STATUS, status);
/** `-` for records that have no collection status. */
export const collectionStatusLetter = (status: string | null) =>
  status === null ? "-" : letter(COLLECTION_STATUS, status);

export const kindOfLetter = (letter: string) => nameOf(KIND, letter);
export const statusOfLetter = (letter: string) => nameOf(STATUS, letter);

function nameOf(table: Record<string, string>, letter: string): string {
  return Object.keys(table).find((name) => table[name] === letter)!;
}
