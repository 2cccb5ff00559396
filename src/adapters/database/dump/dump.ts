/**
 * Dumps the database as of one moment, while writes go on.
 *
 * On a server, one transaction with a snapshot reads everything. In the embedded database, such a transaction would block
 * everybody, because there is only one session. So ranges of pages are read one by one, with pauses. Ranges that were written
 * meanwhile are read again, until few are left. One short transaction at the end checks all ranges without reading their
 * rows, and reads those again that have changed.
 *
 * A range is unchanged if it has as many rows as before and none from a newer transaction: deleted rows never return, and an
 * update makes a new row.
 */
import type { Dump, DumpSink, DumpWatch, Sql, Tx } from "../../../services.ts";
import { demandCurrent } from "../migrate/migrate.ts";
import { type DumpTable, dumpSequences, dumpStructures, dumpTables } from "./catalogue.ts";
import { lookAtRange, type PageRange, quoted, rangeSize, readRange } from "./rows.ts";
import { backedUp } from "./table-kinds.ts";
import { copyBlock, type DumpEnd, dumpAbout, dumpFoot, dumpHead } from "./text.ts";

/** Changed ranges that may be left for the short transaction at the end. */
const FEW = 4;
/** If writers are faster than the dump, changed ranges are read this many times before writers have to wait. */
const MOST_PASSES = 8;
/** Statements that are sent together. */
const AT_ONCE = 16;

type Range = Omit<PageRange, "lines"> & { piece: number | null };
/** The ranges of a table that are already dumped. Their size never changes. */
type Dumped = { file: number; size: number; ranges: Map<number, Range> };

/** @param kind see `Database` */
export function databaseDump(sql: Sql, kind: "embedded" | "external"): Dump {
  return (sink, watch = {}) =>
    kind === "external" ? dumpServer(sql, sink, watch) : dumpShared(sql, sink, watch);
}

/** Dumps a server in one snapshot. */
async function dumpServer(sql: Sql, sink: DumpSink, watch: DumpWatch): Promise<void> {
  await sql.begin("isolation level repeatable read read only", async (tx) => {
    // before the snapshot, because TRUNCATE empties a table for older snapshots, too
    await tx.unsafe(`lock table ${backedUp().map(quoted).join(", ")} in access share mode`);
    await tx`set local extra_float_digits to 1`;
    await tx`set local intervalstyle to postgres`;
    await tx`set local statement_timeout to 0`;
    await tx`set local idle_in_transaction_session_timeout to 0`;
    const { about, structures } = await begin(tx, sink);
    const dump = dumpInPieces(sink, watch);
    await dump.pass(tx);
    await sink.put(dumpFoot(about, dump.end(), structures, await dumpSequences(tx)));
  });
}

/** Dumps the embedded database. Others wait only while the short transaction at the end checks the ranges. */
async function dumpShared(sql: Sql, sink: DumpSink, watch: DumpWatch): Promise<void> {
  const { about, structures } = await begin(sql, sink);
  const dump = dumpInPieces(sink, watch);
  for (let pass = 1; pass <= MOST_PASSES; pass++) {
    if ((await dump.pass(sql)) <= FEW) break;
  }
  // what the short transaction reads is written to the disk after it
  const late: (() => Promise<void>)[] = [];
  const foot = await sql.begin("isolation level repeatable read", async (tx) => {
    await dump.pass(tx, late);
    return dumpFoot(about, dump.end(), structures, await dumpSequences(tx));
  });
  for (const put of late) await put();
  await sink.put(foot);
}

async function begin(sql: Sql | Tx, sink: DumpSink) {
  const files = await demandCurrent(sql);
  const tables = await dumpTables(sql);
  const structures = await dumpStructures(sql);
  const about = dumpAbout(files, new Date().toISOString());
  await sink.put(
    dumpHead(
      about,
      files,
      tables.map(({ name }) => name),
      structures,
    ),
  );
  return { about, structures };
}

function dumpInPieces(sink: DumpSink, { signal, report }: DumpWatch) {
  const dumped = new Map<string, Dumped>();

  /** Replaces what is known of a range. Returns a function that writes the rows to the dump. */
  function replace(table: DumpTable, own: Dumped, from: number, { lines, ...range }: PageRange) {
    drop(own, from);
    const kept: Range = { ...range, piece: null };
    own.ranges.set(from, kept);
    return async () => {
      if (lines !== "") kept.piece = await sink.put(copyBlock(table.name, table.columns, lines));
    };
  }

  function drop({ ranges }: Dumped, from: number): void {
    const range = ranges.get(from);
    if (range?.piece != null) sink.drop(range.piece);
    ranges.delete(from);
  }

  return {
    /** Reads new and changed ranges; returns how many there were. */
    async pass(sql: Sql | Tx, late?: (() => Promise<void>)[]): Promise<number> {
      const tables = await dumpTables(sql);
      const whole = tables.reduce((sum, { bytes }) => sum + bytes, 1);
      let before = 0;
      let count = 0;
      for (const table of tables) {
        const own = dumped.get(table.name) ?? { file: table.file, size: rangeSize(table), ranges: new Map() };
        dumped.set(table.name, own);
        if (own.file !== table.file) for (const from of [...own.ranges.keys()]) drop(own, from);
        own.file = table.file;
        for (const from of [...own.ranges.keys()]) if (from >= table.blocks) drop(own, from);
        for await (const [from, range] of ahead(sql, table, own)) {
          signal?.throwIfAborted();
          const put = replace(table, own, from, range);
          if (late) late.push(put);
          else await put();
          count++;
          if (!late) report?.((before + (from / table.blocks) * table.bytes) / whole);
        }
        before += table.bytes;
      }
      return count;
    },

    end(): DumpEnd {
      const tables = [...dumped].map(([name, { ranges }]) => {
        const all = [...ranges.values()];
        const rows = all.reduce((sum, range) => sum + range.rows, 0);
        const digest = all.reduce((sum, range) => sum + range.digest, 0n);
        return [name, { rows, digest: String(digest) }] as const;
      });
      return { tables: Object.fromEntries(tables) };
    },
  };
}

/** Reads the changed ranges. Each is read while the previous one is compressed. */
async function* ahead(sql: Sql | Tx, table: DumpTable, own: Dumped): AsyncGenerator<[number, PageRange]> {
  let last: [number, Promise<PageRange>] | undefined;
  for await (const from of changedRanges(sql, table, own)) {
    const next = readRange(sql, table, from, own.size);
    // the error is thrown where the range is awaited
    next.catch(() => undefined);
    if (last) yield [last[0], await last[1]];
    last = [from, next];
  }
  if (last) yield [last[0], await last[1]];
}

/** The first pages of ranges that are not dumped, or have changed since. */
async function* changedRanges(
  sql: Sql | Tx,
  table: DumpTable,
  { ranges, size }: Dumped,
): AsyncGenerator<number> {
  const all = Array.from({ length: Math.ceil(table.blocks / size) }, (_, index) => index * size);
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const same = await Promise.all(
      some.map(async (from) => {
        const range = ranges.get(from);
        if (!range) return false;
        const { rows, newest } = await lookAtRange(sql, table, from, size);
        return rows === range.rows && (newest === null || (range.newest !== null && newest <= range.newest));
      }),
    );
    for (const [index, from] of some.entries()) if (!same[index]) yield from;
  }
}
