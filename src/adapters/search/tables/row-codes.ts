/** One-letter codes for kinds and statuses, which keep the rows of the index narrow. */

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
  if (found === undefined) throw new Error(`The search index has no code for ${name}`);
  return found;
}

export const kindCode = (kind: string) => letter(KIND, kind);
export const statusCode = (status: string) => letter(STATUS, status);
/** `-` for records without a collection status. */
export const collectionStatusCode = (status: string | null) =>
  status === null ? "-" : letter(COLLECTION_STATUS, status);

export const kindOfCode = (letter: string) => nameOf(KIND, letter);
export const statusOfCode = (letter: string) => nameOf(STATUS, letter);

function nameOf(table: Record<string, string>, letter: string): string {
  return Object.keys(table).find((name) => table[name] === letter)!;
}
