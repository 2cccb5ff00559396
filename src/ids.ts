/** Record identifiers: UUID version 7 (RFC 9562 §5.7), so that new rows are neighbours in the index. */
import { hex } from "./bytes.ts";

/** For use in larger patterns, including those of SPARQL, so it has no groups. */
export const UUID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
export const UUID = new RegExp(`^${UUID_PATTERN}$`, "i");

const ID = 16;
/** Random bytes for many ids, because calling the system for each id would take most of the time. */
const pool = new Uint8Array(ID * 256);
let used = pool.length;

/** The millisecond of the last id, and a counter of 12 bits for ids of one millisecond, which starts at random in its lower half. */
let last = 0;
let counter = 0;
const MOST_COUNTED = 0xfff;
/** If the clock was set back by more than this, ids follow it. */
const SET_BACK_MS = 1_000;

/** Later ids of one process are greater, even within a millisecond (§6.2, method 1), so that lists keep the order of creation. */
export function newId(): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + ID);
  used += ID;
  const now = Date.now();
  const isSameMoment = now <= last && now >= last - SET_BACK_MS;
  if (isSameMoment && counter < MOST_COUNTED) counter += 1;
  else {
    last = isSameMoment ? last + 1 : now;
    counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!;
  }
  let time = last;
  for (let i = 5; i >= 0; i--) {
    bytes[i] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = 0x70 | (counter >> 8);
  bytes[7] = counter & 0xff;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const text = hex(bytes);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

/** Sorts before every id. */
export const BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/**
 * Ids, numbers or plain names as the text of a PostgreSQL array. Faster than an array parameter, where the driver quotes every
 * character of hundreds of values.
 */
export const plainArray = (values: readonly (string | number)[]): string => `{${values.join()}}`;
