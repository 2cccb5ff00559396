/**
 * How values are converted between PostgreSQL and JavaScript, the same for both databases.
 *
 * Times are texts in UTC with microseconds, which sort in order of time and can be used as parameters. A JavaScript Date has only
 * milliseconds, so a list that continues after the `updated_at` of its last row would repeat or skip rows.
 */
import type { PostgresType } from "postgres";

const BIGINT = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

export const types: Record<string, PostgresType> = {
  timestamp: {
    to: TIMESTAMPTZ,
    from: [TIMESTAMP, TIMESTAMPTZ],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
    parse: (text: string) => isoTime(text),
  },
  /** `2026-01-31`. */
  date: {
    to: DATE,
    from: [DATE],
    serialize: (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value)),
    parse: (text: string) => text,
  },
  /** A number; a BigInt above 2^53, where numbers are not exact. */
  bigint: {
    to: BIGINT,
    from: [BIGINT],
    serialize: (value: unknown) => String(value),
    parse: (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  },
};

const PARTS =
  /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?$/;

/** The usual format, which needs no parsing. */
const USUAL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/;

/** PostgreSQL's `2026-01-31 12:00:00.5+00` as `2026-01-31T12:00:00.500000`; `infinity` and years BC stay as they are. */
export function isoTime(text: string): string {
  if (USUAL.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 26)}`;
  const parts = PARTS.exec(text);
  if (!parts) return text;
  const [, year, month, day, hours, minutes, seconds, fraction = "", sign] = parts;
  const micros = fraction.padEnd(6, "0");
  if (sign === undefined || /^[+-]00(:?00)*$/.test(text.slice(text.lastIndexOf(sign)))) {
    return `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${micros}`;
  }
  return `${inUtc(parts)}.${micros}`;
}

/** For times with another offset, which occur only after `set local timezone`. */
function inUtc(parts: RegExpExecArray): string {
  const [year, month, day, hours, minutes, seconds, , , offsetHours, offsetMinutes, offsetSeconds] = parts
    .slice(1)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, ...number[]];
  const offset = ((offsetHours ?? 0) * 60 + (offsetMinutes ?? 0)) * 60 + (offsetSeconds ?? 0);
  const east = parts[8] === "-" ? -1 : 1;
  const time = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds - east * offset));
  if (year < 100) time.setUTCFullYear(year);
  return time.toISOString().slice(0, -5);
}

/** Options of postgres.js for every client of the embedded database. The socket is an option of its own. */
export const EMBEDDED_CLIENT = {
  // connections share one session: more of them would only wait longer
  max: 4,
  host: "localhost",
  user: "postgres",
  database: "postgres",
  ssl: false,
  types,
  onnotice: () => {},
} as const;
