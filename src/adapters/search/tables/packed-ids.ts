/** Record ids of 16 bytes each, in the format of PostgreSQL's `uuid_send`, so that memory can hold many of them. */

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
