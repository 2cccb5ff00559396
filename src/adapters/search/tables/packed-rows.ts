/**
 * How rows of the index are packed, so that the table is narrow and memory can hold many of them: ids in 16 bytes, as PostgreSQL's
 * `uuid_send` writes them, kinds and statuses in one letter.
 */

export const ID_BYTES = 16;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function idAt(ids: Uint8Array, from: number): string {
  let hex = "";
  for (let at = from; at < from + ID_BYTES; at++) hex += HEX[ids[at]!];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function packedIds(ids: readonly string[]): Uint8Array {
  const packed = new Uint8Array(ids.length * ID_BYTES);
  for (const [at, id] of ids.entries()) packed.set(bytesOf(id), at * ID_BYTES);
  return packed;
}

export function bytesOf(id: string): Uint8Array {
  const hex = id.replaceAll("-", "");
  return Uint8Array.from({ length: ID_BYTES }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}

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
