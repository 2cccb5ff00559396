/** Compares the search index with the records and lists the differences. */
import { type IndexedRecord, SEARCH_TARGET } from "../ports/search-index.ts";
import type { Services, Sql } from "../services.ts";
import { documentsOf } from "./project.ts";
import { recordsAfter } from "./rebuild-store.ts";

export type Difference = {
  id: string;
  record_type: string;
  /** How the index differs: the record is missing or superfluous there, or has another kind, status or content. */
  fault: "missing" | "superfluous" | "kind" | "status" | "content";
};

type Comparison = {
  /** The number of compared records, without those that wait to be indexed. */
  records: number;
  /** The first differences. */
  differences: Difference[];
  /** The number of all differences. */
  differing: number;
  /** The number of records that wait to be indexed and therefore may differ. */
  waiting: number;
};

type IndexServices = Pick<Services, "sql" | "config" | "search">;

/** Records per batch. Others use the only session of the embedded database between batches. */
const BATCH = 500;
/** The most differences that are listed. */
const MOST_NAMED = 1_000;

/**
 * @param kind null: all kinds
 * @param report receives the number of compared records; may throw to stop
 */
export async function compareIndex(
  services: IndexServices,
  kind: string | null,
  report: (done: number) => unknown = () => undefined,
): Promise<Comparison> {
  const found: Comparison = { records: 0, differences: [], differing: 0, waiting: 0 };
  let after: string | null = null;
  let done = 0;
  for (;;) {
    const stretch: Stretch | null = await nextStretch(services, after);
    if (!stretch) break;
    const differences = await confirmed(services, kind, after, stretch);
    found.differing += differences.length;
    found.differences.push(...differences.slice(0, MOST_NAMED - found.differences.length));
    const looked = stretch.wanted.filter(({ recordType }) => isOf(kind, recordType));
    found.records += (await withoutWaiting(services.sql, looked)).length;
    done += looked.length;
    await report(done);
    after = stretch.until;
  }
  return { ...found, waiting: await countWaiting(services.sql, kind) };
}

const isOf = (kind: string | null, recordType: string) => kind === null || kind === recordType;

/** Compares twice, because a write changes the record a moment before the index. Records that wait to be indexed do not count. */
async function confirmed(
  services: IndexServices,
  kind: string | null,
  after: string | null,
  stretch: Stretch,
): Promise<Difference[]> {
  const first = await withoutWaiting(services.sql, await differencesIn(services, kind, stretch));
  const again = first.length === 0 ? null : await nextStretch(services, after);
  if (!again) return [];
  const keys = new Set(first.map(keyOf));
  const second = (await differencesIn(services, kind, again)).filter((each) => keys.has(keyOf(each)));
  return withoutWaiting(services.sql, second);
}

const keyOf = ({ id, fault }: Difference): string => `${id} ${fault}`;

/** Records and entries of the index, up to the same id. */
type Stretch = { wanted: IndexedRecord[]; found: IndexedRecord[]; until: string };

/** The next records and entries; null at the end. */
async function nextStretch({ sql, search }: IndexServices, after: string | null): Promise<Stretch | null> {
  const [wanted, found] = [await recordsAfter(sql, after, BATCH), await search.walk(after, BATCH)];
  const [until] = [wanted.at(-1)?.id, found.at(-1)?.id].flatMap((id) => id ?? []).sort();
  if (until === undefined) return null;
  const within = (items: IndexedRecord[]) => items.filter(({ id }) => id <= until);
  return { wanted: within(wanted), found: within(found), until };
}

async function differencesIn(
  services: IndexServices,
  kind: string | null,
  { wanted, found }: Stretch,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const alike: string[] = [];
  const indexed = new Map(found.map((item) => [item.id, item]));
  const differ = ({ id, recordType }: IndexedRecord, fault: Difference["fault"]) => {
    if (isOf(kind, recordType)) differences.push({ id, record_type: recordType, fault });
  };
  for (const record of wanted) {
    const other = indexed.get(record.id);
    indexed.delete(record.id);
    if (!other) differ(record, "missing");
    else if (record.recordType !== other.recordType) differ(record, "kind");
    else if (record.status !== other.status) differ(record, "status");
    else if (isOf(kind, record.recordType)) alike.push(record.id);
  }
  for (const item of indexed.values()) differ(item, "superfluous");
  return [...differences, ...(await otherContent(services, alike))];
}

async function otherContent(services: IndexServices, ids: readonly string[]): Promise<Difference[]> {
  if (ids.length === 0 || !services.search.differing) return [];
  const { documents } = await documentsOf(services, ids);
  const differing = new Set(await services.search.differing(documents));
  return documents
    .filter(({ id }) => differing.has(id))
    .map(({ id, recordType }) => ({ id, record_type: recordType, fault: "content" }));
}

async function withoutWaiting<T extends { id: string }>(sql: Sql, all: readonly T[]): Promise<T[]> {
  if (all.length === 0) return [];
  const rows = await sql<{ record_id: string }[]>`
    select record_id from outbox where target = ${SEARCH_TARGET} and record_id = any(${all.map(({ id }) => id)})`;
  const waiting = new Set(rows.map(({ record_id }) => record_id));
  return all.filter(({ id }) => !waiting.has(id));
}

/** Deleted records count for every kind, because their kind is unknown. */
async function countWaiting(sql: Sql, kind: string | null): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from outbox o left join records r on r.id = o.record_id
    where o.target = ${SEARCH_TARGET} ${kind === null ? sql`` : sql`and coalesce(r.record_type, ${kind}) = ${kind}`}`;
  return row!.n;
}
