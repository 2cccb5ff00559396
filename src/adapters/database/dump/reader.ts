/** Reads a dump in the format of `dump/text.ts`, block by block, with only one piece of rows in memory. */

import { Buffer } from "node:buffer";
import { said } from "../../../messages/said.ts";
import { Refusal } from "../../../refusal.ts";
import { ABOUT, DUMP_FORMAT, type DumpAbout, type DumpEnd, END } from "./text.ts";

export type DumpPart =
  | { kind: "about"; about: DumpAbout }
  /** Statements, without those that begin and end the transaction. */
  | { kind: "sql"; text: string }
  | { kind: "copy"; table: string; statement: string; data: Buffer; rows: number }
  | { kind: "end"; end: DumpEnd };

const COPY = /^copy "((?:[^"]|"")+)" \(.*\) from stdin;$/;
const COPY_END = Buffer.from("\n\\.\n");
const LINE_END = 10;
/** Rows come in pieces of about a megabyte. A larger piece than this is not from our dump. */
const MOST_BYTES = 1024 * 1024 * 1024;
const OUTSIDE = new Set(["begin;", "commit;", "\\set ON_ERROR_STOP on"]);

/** @param source the uncompressed dump. */
export async function* readDump(source: AsyncIterable<Uint8Array>): AsyncGenerator<DumpPart> {
  const input = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let sql: string[] = [];

  /** The bytes up to and including `mark`; null at the end of the file. */
  async function upTo(mark: Buffer): Promise<Buffer | null> {
    const pieces = [rest];
    let size = rest.length;
    for (let looked = 0; ; ) {
      const all: Buffer = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      const at = all.indexOf(mark, looked);
      if (at !== -1) {
        rest = all.subarray(at + mark.length);
        return all.subarray(0, at + mark.length);
      }
      if (size > MOST_BYTES) throw new Refusal(said("cli.backup_file.not_ours"));
      looked = Math.max(0, all.length - mark.length + 1);
      pieces.splice(0, pieces.length, all);
      const { done, value } = await input.next();
      if (done) return null;
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.length));
      size += value.length;
    }
  }

  const newline = Buffer.from("\n");
  for (let first = true; ; first = false) {
    const line = await upTo(newline);
    if (line === null) break;
    const text = line.toString("utf8", 0, line.length - 1);
    if (first) {
      yield { kind: "about", about: aboutOf(text) };
      continue;
    }
    const table = COPY.exec(text)?.[1];
    if (table !== undefined) {
      if (sql.length > 0) yield { kind: "sql", text: sql.join("\n") };
      sql = [];
      const block = await upTo(COPY_END);
      if (block === null) throw incompleteBackup();
      const data = block.subarray(0, block.length - COPY_END.length + 1);
      yield {
        kind: "copy",
        table: table.replaceAll('""', '"'),
        statement: text.slice(0, -1),
        data,
        rows: linesIn(data),
      };
    } else if (text.startsWith(END)) {
      if (sql.length > 0) yield { kind: "sql", text: sql.join("\n") };
      yield { kind: "end", end: JSON.parse(text.slice(END.length)) as DumpEnd };
      return;
    } else if (!OUTSIDE.has(text)) sql.push(text);
  }
  throw incompleteBackup();
}

export function incompleteBackup(): Refusal {
  return new Refusal(said("cli.backup_file.incomplete"));
}

function aboutOf(line: string): DumpAbout {
  if (!line.startsWith(ABOUT)) throw new Refusal(said("cli.backup_file.not_ours"));
  const about = JSON.parse(line.slice(ABOUT.length)) as DumpAbout;
  if (about.format > DUMP_FORMAT) {
    throw new Refusal(said("cli.backup_file.newer", { version: about.version }));
  }
  return about;
}

function linesIn(data: Buffer): number {
  let lines = 0;
  for (let at = data.indexOf(LINE_END); at !== -1; at = data.indexOf(LINE_END, at + 1)) lines++;
  return lines;
}
