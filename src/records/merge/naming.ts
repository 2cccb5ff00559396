/** Fields of records that name what was merged: a record by its id, or a term by its value. They name the other one, and back. */
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { lockAnywhere } from "../read/store.ts";
import { type Metadata, renamedEntries, sameEntries, stateOf } from "../record.ts";
import { type Change, updateRecords, type Writer } from "../write/store.ts";

/** The records that named it, with the fields that did. */
export type Naming = { id: string; kind: Kind; before: Metadata; after: Metadata }[];

export type Names = {
  from: string;
  into: string;
  /** The fields that may have such a name. */
  fields: ReadonlyMap<Kind, readonly string[]>;
  /** Ids may be written in capitals. */
  areIds: boolean;
  /** Records that stay as they are. */
  except?: readonly string[];
};

/** Records per statement. */
const BATCH = 1_000;

/** The ids of the records that name it. */
export async function findNaming(
  tx: Tx,
  { from, fields, areIds, except = [] }: Names,
): Promise<Map<Kind, string[]>> {
  const all = new Map<Kind, string[]>();
  for (const [kind, own] of fields) {
    const value = areIds ? tx`lower(e ->> 'value')` : tx`e ->> 'value'`;
    const found = await tx<{ id: string }[]>`
      select r.id from records r
      where r.record_type = ${kind} and r.purged_at is null and r.id <> all(${except as string[]}) and exists (
        select 1 from unnest(${own as string[]}::text[]) n(name), jsonb_array_elements(r.metadata -> n.name) e
        where ${value} = ${from})
      order by r.id`;
    if (found.length > 0)
      all.set(
        kind,
        found.map(({ id }) => id),
      );
  }
  return all;
}

/** `found`: by `findNaming`. `note`: for the history of the records. */
export async function moveNaming(
  tx: Tx,
  writer: Writer,
  names: Names,
  found: ReadonlyMap<Kind, readonly string[]>,
  note: Record<string, unknown>,
): Promise<Naming> {
  const { from, fields, areIds } = names;
  const nowOf = (value: string) => ((areIds ? value.toLowerCase() : value) === from ? names.into : undefined);
  const all: Naming = [];
  for (const [kind, ids] of found) {
    const own = fields.get(kind)!;
    for (let at = 0; at < ids.length; at += BATCH) {
      // also in the trash, from which they may come back
      const rows = await lockAnywhere(tx, ids.slice(at, at + BATCH));
      const changes = rows.map((row): Change => {
        const before: Metadata = {};
        const after: Metadata = {};
        for (const name of own) {
          const entries = row.metadata[name];
          const now = entries && renamedEntries(entries, nowOf);
          if (!now || sameEntries(entries, now)) continue;
          before[name] = entries;
          after[name] = now;
        }
        all.push({ id: row.id, kind, before, after });
        const metadata = { ...row.metadata, ...after };
        return { before: row, after: { ...stateOf(row), metadata }, action: "updated", note };
      });
      await updateRecords(tx, kind, writer, changes);
    }
  }
  return all;
}

/** Undoes it. Returns the records that were changed or deleted since, which stay, and those that were changed back. */
export async function returnNaming(
  tx: Tx,
  writer: Writer,
  naming: Naming,
  note: Record<string, unknown>,
): Promise<{ left: string[]; back: string[] }> {
  const back: string[] = [];
  for (let at = 0; at < naming.length; at += BATCH) {
    const part = new Map(naming.slice(at, at + BATCH).map((each) => [each.id, each]));
    const rows = await lockAnywhere(tx, [...part.keys()]);
    for (const kind of new Set(rows.map(({ record_type }) => record_type))) {
      const changes = rows.flatMap((row): Change[] => {
        const { before, after } = part.get(row.id)!;
        if (row.record_type !== kind) return [];
        if (!Object.keys(after).every((name) => sameEntries(row.metadata[name], after[name]))) return [];
        const metadata = { ...row.metadata, ...before };
        return [{ before: row, after: { ...stateOf(row), metadata }, action: "updated", note }];
      });
      await updateRecords(tx, kind, writer, changes);
      back.push(...changes.map((change) => change.before.id));
    }
  }
  const done = new Set(back);
  return { back, left: naming.flatMap(({ id }) => (done.has(id) ? [] : id)) };
}
