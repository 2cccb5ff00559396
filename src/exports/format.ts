/**
 * The file of an export (docs/export-format.md): one JSON object per line. A header, rows as {"record": {…}}, and a
 * closing line with a checksum; without that line the file is incomplete. UTF-8, with line feeds.
 */
import { linesOf } from "../bytes.ts";
import { VERSION } from "../config/version.ts";
import { type Said, said } from "../messages/said.ts";
import { Refusal } from "../refusal.ts";
import { PARTS, type Part } from "./parts.ts";

const FORMAT = "svc-export";
/** Changes if older readers would misunderstand the file; new columns are listed in the header. */
const FORMAT_VERSION = 1;

/** Bytes; the largest record has about one million. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export type Header = {
  format: typeof FORMAT;
  version: number;
  program: string;
  /** ISO 8601, UTC. */
  made_at: string;
  history: boolean;
  /** Part → its columns, in the order of the file. */
  parts: Record<string, readonly string[]>;
};

/** `sha256` in hexadecimal, of all bytes before this line; `lines` without header and closing line. */
type Closing = { lines: number; sha256: string };

export function partsOf(history: boolean): readonly Part[] {
  return PARTS.filter((part) => history || !part.history);
}

export function headerLine(history: boolean, now: Date): string {
  const header: Header = {
    format: FORMAT,
    version: FORMAT_VERSION,
    program: VERSION,
    made_at: now.toISOString().slice(0, 19),
    history,
    parts: Object.fromEntries(partsOf(history).map(({ kind, columns }) => [kind, columns])),
  };
  return JSON.stringify(header);
}

export const closingLine = (closing: Closing): string => JSON.stringify({ end: closing });

/** A row, with JSON made by the database. */
export const rowLine = (kind: string, row: string): string => `{"${kind}":${row}}`;

/** The part of a line, and its row as JSON; null if it is not a row. */
export function readRow(line: string): { kind: string; row: string } | null {
  const found = /^\{"([a-z_]+)":(?=\{)/.exec(line);
  return found && line.endsWith("}}") ? { kind: found[1]!, row: line.slice(found[0].length, -1) } : null;
}

/** Refuses a file that is not an export, and an export by a newer program with data that this one would lose. */
export function readHeader(line: string): Header {
  const header = parsed(line) as Partial<Header> | null;
  if (header?.format !== FORMAT || typeof header.parts !== "object" || header.parts === null) {
    throw new Refusal(said("problem.export.not_export"));
  }
  const program = String(header.program);
  const newer = (part: Said) =>
    new Refusal(said("problem.export.newer", { program, part, version: VERSION }));
  if (header.version !== FORMAT_VERSION)
    throw newer(said("export.has.format", { name: String(header.version) }));
  for (const [kind, columns] of Object.entries(header.parts)) {
    const part = PARTS.find((each) => each.kind === kind);
    if (!part) throw newer(said("export.has.part", { name: kind }));
    const unknown = columns.find((column) => !part.columns.includes(column));
    if (unknown !== undefined) throw newer(said("export.has.column", { name: unknown, part: kind }));
  }
  return header as Header;
}

export function readClosing(line: string): Closing | null {
  const closing = (parsed(line) as { end?: Partial<Closing> } | null)?.end;
  return typeof closing?.lines === "number" && typeof closing.sha256 === "string"
    ? (closing as Closing)
    : null;
}

/** Reads a file whose checksum was right. `rows` throws a Refusal if it has changed since. */
export async function readExport(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ header: Header; rows: AsyncGenerator<string> }> {
  const lines = linesOf(pieces, LONGEST_LINE);
  const { value } = await lines.next();
  return { header: readHeader(value ? lineText(value) : ""), rows: rowsOf(lines) };
}

async function* rowsOf(lines: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let count = 0;
  let last: string | null = null;
  for await (const line of lines) {
    if (last !== null) yield last;
    if (last !== null) count += 1;
    last = lineText(line);
  }
  if (last === null || readClosing(last)?.lines !== count)
    throw new Refusal(said("problem.export.changed_since"));
}

const decoder = new TextDecoder();
export const lineText = (line: Uint8Array): string => decoder.decode(line);

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
