/** Compares the search index with the records: what is missing, what should not be there, what is not as it should be. */
import type { Services, Sql } from "../services.ts";
import { documentsOf } from "./project.ts";

export type Difference = {
  id: string;
  record_type: string;
  /** `missing` in the index, `superfluous` in it, of another `kind` or `status` there, or with another `content`. */
  fault: "missing" | "superfluous" | "kind" | "status" | "content";
};

export type Comparison = {
  /** Records that were compared. */
  records: number;
  differences: Difference[];
  /** Records that wait for their projection; what they differ in is no fault. */
  waiting: number;
};

type Item = { id: string; recordType: string; status: string };
type World = Pick<Services, "sql" | "config" | "search">;

/** Records at once: others use the embedded database's only session in between. */
const BATCH = 500;

/**
 * @param kind null: all of them
 * @param report how many records were looked at so far, of how many there are; throws to stop
 */
export async function compareIndex(
  world: World,
  kind: string | null,
  report: (done: number) => void = () => undefined,
): Promise<Comparison> {
  const first = await compareOnce(world, kind, report);
  if (first.differences.length === 0) return first;
  // whoever writes meanwhile is between the record and the index for a moment: what differs twice, and does not wait
  const second = await compareOnce(world, kind, () => report(first.records));
  const waits = await waitingAmong(
    world.sql,
    second.differences.map(({ id }) => id),
  );
  const before = new Set(first.differences.map(keyOf));
  return {
    ...second,
    differences: second.differences.filter(
      (difference) => before.has(keyOf(difference)) && !waits.has(difference.id),
    ),
  };
}

const keyOf = ({ id, fault }: Difference): string => `${id} ${fault}`;

async function compareOnce(
  world: World,
  kind: string | null,
  report: (done: number) => void,
): Promise<Comparison> {
  const { sql, search } = world;
  const wanted = stream((after) => recordsAfter(sql, after));
  const found = stream((after) => search.walk(after, BATCH));
  const differences: Difference[] = [];
  const alike: string[] = [];
  let records = 0;
  const differ = ({ id, recordType }: Item, fault: Difference["fault"]) => {
    if (kind === null || recordType === kind) differences.push({ id, record_type: recordType, fault });
  };
  let record = await wanted();
  let indexed = await found();
  while (record || indexed) {
    if (record && (!indexed || record.id < indexed.id)) {
      differ(record, "missing");
      records += kind === null || record.recordType === kind ? 1 : 0;
      record = await wanted();
    } else if (indexed && (!record || indexed.id < record.id)) {
      differ(indexed, "superfluous");
      indexed = await found();
    } else if (record && indexed) {
      if (record.recordType !== indexed.recordType) differ(record, "kind");
      else if (record.status !== indexed.status) differ(record, "status");
      else if (kind === null || record.recordType === kind) alike.push(record.id);
      records += kind === null || record.recordType === kind ? 1 : 0;
      [record, indexed] = [await wanted(), await found()];
    }
    if (alike.length === BATCH || (!record && !indexed)) {
      differences.push(...(await otherContent(world, alike.splice(0))));
      report(records);
    }
  }
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox where target = 'search'`;
  return { records, differences, waiting: row!.n };
}

async function otherContent(world: World, ids: readonly string[]): Promise<Difference[]> {
  if (ids.length === 0 || !world.search.differing) return [];
  const { documents } = await documentsOf(world, ids);
  const differing = new Set(await world.search.differing(documents));
  return documents
    .filter(({ id }) => differing.has(id))
    .map(({ id, recordType }) => ({ id, record_type: recordType, fault: "content" }));
}

/** One by one what is read in batches; undefined at the end. */
function stream(read: (after: string | null) => Promise<Item[]>): () => Promise<Item | undefined> {
  let batch: Item[] = [];
  let at = 0;
  let after: string | null = null;
  let ended = false;
  return async () => {
    if (at === batch.length && !ended) {
      batch = await read(after);
      at = 0;
      after = batch.at(-1)?.id ?? after;
      ended = batch.length === 0;
    }
    return batch[at++];
  };
}

async function recordsAfter(sql: Sql, after: string | null): Promise<Item[]> {
  return sql<Item[]>`
    select id, record_type as "recordType", status from records
    where deleted_at is null ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${BATCH}`;
}

async function waitingAmong(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from outbox where target = 'search' and record_id = any(${ids as string[]})`;
  return new Set(rows.map(({ record_id }) => record_id));
}
