/** Records that refer to a merged record by their place in a tree or by a field: they refer to the other one, and back. */
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { lockAnywhere, lockByIds } from "../read/store.ts";
import { type Metadata, sameEntries, stateOf } from "../record.ts";
import { fieldsOf, type Schema } from "../schema.ts";
import { type Change, updateRecords, type Writer } from "../write/store.ts";
import type { Pair } from "./links.ts";

export type Referring = {
  /** Records that were below the merged one. */
  below: string[];
  /** The fields that named it. */
  naming: { id: string; kind: Kind; before: Metadata; after: Metadata }[];
};

/** `note`: for the history of the records. The record that stays is changed by its own merge. */
export async function moveReferring(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  writer: Writer,
  { from, into }: Pair,
  note: Record<string, unknown>,
): Promise<Referring> {
  const children = await tx<{ id: string }[]>`
    select id from records where parent_id = ${from} and id <> ${into} and deleted_at is null order by id`;
  const below = children.map(({ id }) => id);
  await updateRecords(
    tx,
    kind,
    writer,
    (await lockByIds(tx, kind, below)).map((row): Change => {
      return { before: row, after: { ...stateOf(row), parent_id: into }, action: "updated", note };
    }),
  );
  const naming: Referring["naming"] = [];
  for (const of of schema.fields.keys()) {
    const names = [...fieldsOf(schema, of).values()].flatMap(({ name, field_type }) =>
      field_type === "relation" ? name : [],
    );
    if (names.length === 0) continue;
    const found = await tx<{ id: string }[]>`
      select r.id from records r where r.record_type = ${of} and r.purged_at is null and r.id <> all(${[from, into]})
        and exists (
          select 1 from unnest(${names}::text[]) n(name), jsonb_array_elements(r.metadata -> n.name) e
          where lower(e ->> 'value') = ${from})`;
    // also in the trash, from which they may come back
    const rows = await lockAnywhere(
      tx,
      found.map(({ id }) => id),
    );
    const changes = rows.map((row): Change => {
      const before = Object.fromEntries(
        names.flatMap((name) =>
          row.metadata[name]?.some(({ value }) => value.toLowerCase() === from)
            ? [[name, row.metadata[name]]]
            : [],
        ),
      );
      const after = Object.fromEntries(
        Object.entries(before).map(([name, entries]) => [name, renamed(entries)]),
      );
      naming.push({ id: row.id, kind: of, before, after });
      return {
        before: row,
        after: { ...stateOf(row), metadata: { ...row.metadata, ...after } },
        action: "updated",
        note,
      };
    });
    await updateRecords(tx, of, writer, changes);
  }
  return { below, naming };

  /** Each record once. */
  function renamed(entries: Metadata[string]): Metadata[string] {
    const named = entries.map((entry) =>
      entry.value.toLowerCase() === from ? { ...entry, value: into } : entry,
    );
    return named.filter(
      ({ value }, index) => value !== into || named.findIndex((entry) => entry.value === into) === index,
    );
  }
}

/** Undoes it. Returns the records that were moved, changed or deleted since, which stay, and those that were changed back. */
export async function returnReferring(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  { from, into }: Pair,
  { below, naming }: Referring,
  note: Record<string, unknown>,
): Promise<{ left: string[]; back: string[] }> {
  const children = (await lockByIds(tx, kind, below)).filter(({ parent_id }) => parent_id === into);
  await updateRecords(
    tx,
    kind,
    writer,
    children.map((row): Change => {
      return { before: row, after: { ...stateOf(row), parent_id: from }, action: "updated", note };
    }),
  );
  const back = children.map(({ id }) => id);
  const left = below.filter((id) => !back.includes(id));
  for (const of of new Set(naming.map((each) => each.kind))) {
    const own = new Map(naming.flatMap((each) => (each.kind === of ? [[each.id, each] as const] : [])));
    const changes = (await lockAnywhere(tx, [...own.keys()])).flatMap((row): Change[] => {
      const { before, after } = own.get(row.id)!;
      const same = Object.keys(after).every((name) => sameEntries(row.metadata[name], after[name]));
      const state = { ...stateOf(row), metadata: { ...row.metadata, ...before } };
      return same ? [{ before: row, after: state, action: "updated", note }] : [];
    });
    await updateRecords(tx, of, writer, changes);
    const changed = new Set(changes.map((change) => change.before.id));
    back.push(...changed);
    left.push(...[...own.keys()].filter((id) => !changed.has(id)));
  }
  return { left, back };
}
