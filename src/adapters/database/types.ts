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
    parse: isoTime,
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

/** Another offset than 0 occurs only after `set local timezone`. */
const TIME = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-]\d\d(?::\d\d)?)?$/;

/** PostgreSQL's `2026-01-31 12:00:00.5+00` as `2026-01-31T12:00:00.500000`; `infinity` and years BC stay as they are. */
function isoTime(text: string): string {
  const [, day, time, fraction = "", offset = "+00"] = TIME.exec(text) ?? [];
  if (day === undefined) return text;
  const local = `${day}T${time}`;
  const utc = offset === "+00" ? local : new Date(local + offset.padEnd(6, ":00")).toISOString().slice(0, -5);
  return `${utc}.${fraction.padEnd(6, "0")}`;
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
