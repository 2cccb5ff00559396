/**
 * Counts the records that links created, and collects names for a curator to check: names that led to a record with another
 * name, and names without a record for which a similar one exists.
 */
import { type Said, said } from "../../messages/said.ts";
import type { Candidate } from "../../records/batch/ends.ts";
import type { BatchResult } from "../../records/batch/item.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { nameKey } from "../../text.ts";
import type { MappedRow } from "../mapping/mapped-row.ts";
import { brief } from "../mapping/targets.ts";
import type { RowOutcome } from "../options.ts";
import type { Unlinked } from "../save/deferred-links.ts";
import { andMore, countedUnits, LISTED, type Unit } from "./counts.ts";

/** Most names that are kept of created records, and of each list. */
export const MOST_NAMES = 200_000;

type Other = { title: string; idno?: string };
/** `value`: the name in the file. `lines`: the lines of the rows with it. */
type Pair = Other & { record_type: Kind; value: string; lines: number[] };
/** A list in a report: how many rows have these names. */
type NameList = { rows: number; names: readonly Pair[] };
/** `seen`: the lines of its rows as bits, 32 in a number. `noted`: all pairs of a name and a line; `kept`: the listed ones. */
type List = {
  rows: number;
  seen: Map<number, number>;
  noted: number;
  kept: number;
  pairs: Map<string, Pair & { last: number }>;
};
type Saved = Extract<BatchResult, { id: string }>;
type Made = Other & { key: string; line: number };

const pairKey = (kind: Kind, value: string): string => `${kind} ${nameKey(value)}`;

/** @param dryRun whether the numbers of created records are not final */
export function createNameMatches(dryRun: boolean) {
  /** The created records by type and name. A dry run rolls back, so it creates some of them several times. */
  const made = new Map<Kind, Map<string, Made[]>>();
  const counts = new Map<Kind, number>();
  const emptyList = (): List => ({ rows: 0, seen: new Map(), noted: 0, kept: 0, pairs: new Map() });
  const joined = emptyList();
  const similar = emptyList();

  function note(list: List, record_type: Kind, value: string, { title, idno }: Other, line: number): void {
    // with authority numbers, one name may lead to several records
    const key = pairKey(record_type, value) + (list === joined ? `\n${title}` : "");
    const number = idno ? { idno } : {};
    const pair = list.pairs.get(key) ?? { record_type, value, title, ...number, lines: [], last: 0 };
    if (pair.last === line) return;
    pair.last = line;
    list.noted += 1;
    const [at, bit] = [line >>> 5, 1 << (line & 31)];
    const seen = list.seen.get(at) ?? 0;
    if ((seen & bit) === 0) list.rows += 1;
    list.seen.set(at, seen | bit);
    if (list.pairs.size < MOST_NAMES) list.pairs.set(key, pair);
    if (list.kept >= LISTED) return;
    list.kept += 1;
    pair.lines.push(line);
  }

  const bucketOf = (kind: Kind, name: string): Made[] => made.get(kind)?.get(nameKey(name, "similar")) ?? [];

  function take({ row, mapped, result }: RowOutcome): void {
    if (!("id" in result)) return;
    for (const { record_type, title, idno, key, similar: older } of result.createdEnds ?? []) {
      const bucket = bucketOf(record_type, title);
      const known = bucket.find((each) => each.key === key);
      const other: Candidate | Other | undefined =
        older ?? bucket.find((each) => nameKey(each.title) !== nameKey(title));
      if (known && nameKey(known.title) !== nameKey(title)) note(joined, record_type, title, known, row.line);
      if (known) continue;
      if (other) note(similar, record_type, title, other, row.line);
      const number = counts.get(record_type) ?? 0;
      if (number >= MOST_NAMES) continue;
      counts.set(record_type, number + 1);
      const names = made.get(record_type) ?? new Map();
      made.set(record_type, names);
      const own = { key, title, line: row.line, ...(dryRun ? {} : { idno }) };
      names.set(nameKey(title, "similar"), [...bucket, own]);
    }
    for (const { record_type, value, title, idno, byNumber } of result.otherTitles ?? [])
      if (!byNumber && nameKey(value) !== nameKey(title))
        note(joined, record_type, value, { title, idno }, row.line);
    takeTitle(mapped, result);
    if (similar.pairs.size === 0 || result.outcome === "skipped") return;
    for (const { to_type, value } of mapped.relations) {
      const pair = similar.pairs.get(pairKey(to_type, value));
      if (pair) note(similar, to_type, value, pair, row.line);
    }
  }

  /** Notes a row whose title is similar to the name of a record that an earlier row created. */
  function takeTitle({ record_type }: MappedRow, { outcome, after, idno }: Saved): void {
    const title = after?.metadata[kinds[record_type].titleField]?.[0]?.value;
    if (outcome !== "created" || title === undefined) return;
    for (const { title: value, line } of bucketOf(record_type, title))
      if (nameKey(value) !== nameKey(title))
        note(similar, record_type, value, { title, ...(dryRun ? {} : { idno }) }, line);
  }

  return {
    take,

    /** Notes names without a record, if none may be created for them. */
    unlinked({ row, missing = [], similar: alike = [] }: Unlinked): void {
      for (const one of alike) note(similar, one.record_type, one.value, one.similar, row.line);
      // in a dry run, also compares with names of records that it would create
      for (const { to_type, value } of missing) {
        const [other] = bucketOf(to_type, value);
        if (other) note(similar, to_type, value, other, row.line);
      }
    },

    /** How many records of each type the links created. */
    made: (): [Kind, number][] => [...counts],

    lines(unit: Unit): Said[] {
      return [
        ...linesOf("job.report.spellings", joined, joinedLine, unit),
        ...linesOf("job.report.similar_names", similar, similarLine, unit),
      ];
    },

    json: () => ({ joined: listed(joined), similar_names: listed(similar) }),
  };
}

const listed = ({ rows, pairs }: List): NameList => ({
  rows,
  names: [...pairs.values()].flatMap(({ last: _, ...pair }) => (pair.lines.length > 0 ? pair : [])),
});

function linesOf(
  key: "job.report.spellings" | "job.report.similar_names",
  list: List,
  line: (pair: Pair) => Said,
  unit: Unit,
): Said[] {
  const { rows, names } = listed(list);
  if (rows === 0) return [];
  return [
    said(key, { units: countedUnits(rows, unit) }),
    ...names.map((pair) => said("job.report.item", { item: line(pair) })),
    ...andMore(list.noted, list.kept),
  ];
}

const shown = ({ record_type, value, title, lines }: Pair) => ({
  count: lines.length,
  lines: lines.join(", "),
  value: brief(value),
  kind: said(`kind.one.${record_type}`),
  title: brief(title),
});

const joinedLine = (pair: Pair): Said => said("job.report.spelling", shown(pair));

const similarLine = (pair: Pair): Said =>
  pair.idno
    ? said("job.report.similar_name", { ...shown(pair), number: pair.idno })
    : said("job.report.similar_name_new", shown(pair));
