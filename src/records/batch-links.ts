/** Relations that come with many records at once: far ends are found by number or title, and made when they are missing. */
import { type Account, mayDo } from "../accounts/caller.ts";
import { Problem } from "../problem.ts";
import type { Tx } from "../services.ts";
import { sortKey } from "../text.ts";
import { newId } from "./ids.ts";
import { type Kind, kinds, type Status } from "./kinds.ts";
import { nextIdnos } from "./numbers.ts";
import { stateOf } from "./record.ts";
import { type NewRelation, orientRelation } from "./relations.ts";
import { demandValid, newState } from "./rules.ts";
import { type Hand, insertRecords, updateRecords } from "./save.ts";
import type { Schema } from "./schema.ts";
import { lockByIds } from "./store.ts";

export type ItemLinks = {
  wishes: readonly { relation_type: string; to_type: Kind; value: string }[];
  /** Status of far ends that have to be made. */
  newStatus: Status;
};

type LinkedItem = { id: string; links: ItemLinks; fresh: boolean };

/** Writes the links. `replace`: links of the kinds that an item names are exactly those it names. */
export async function saveLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  items: readonly LinkedItem[],
  replace: boolean,
): Promise<{ created: string[]; changed: string[] }> {
  const wishes = items.flatMap((item) => item.links.wishes.map((wish) => ({ ...wish, item })));
  if (wishes.length === 0) return { created: [], changed: [] };
  const created: string[] = [];
  const ends = new Map<string, string>();
  for (const toType of new Set(wishes.map((wish) => wish.to_type))) {
    const values = new Map<string, Status>();
    for (const wish of wishes) if (wish.to_type === toType) values.set(wish.value, wish.item.links.newStatus);
    const found = await findEnds(tx, toType, [...values.keys()]);
    const missing = [...values].filter(([value]) => !found.has(value));
    for (const [value, id] of await createEnds(tx, schema, caller, toType, hand, missing)) {
      found.set(value, id);
      if (!created.includes(id)) created.push(id);
    }
    for (const [value, id] of found) ends.set(`${toType} ${value}`, id);
  }
  const links: NewRelation[] = wishes.map((wish) => {
    const direction = orientRelation(schema, kind, wish);
    if (typeof direction === "string") throw new Problem("invalid", direction);
    const other = ends.get(`${wish.to_type} ${wish.value}`)!;
    if (other === wish.item.id) throw new Problem("invalid", "A record has no relation to itself");
    const [from_id, to_id] = direction.inverse ? [other, wish.item.id] : [wish.item.id, other];
    return { id: newId(), relation_type: direction.type.name, from_id, to_id, metadata: {} };
  });
  return { created, changed: await writeLinks(tx, kind, hand, items, links, replace) };
}

/** Records of a type by number, else by title without case and accents. Two of one title are no answer. */
async function findEnds(tx: Tx, kind: Kind, values: readonly string[]): Promise<Map<string, string>> {
  const keys = values.map(sortKey);
  const rows = await tx<{ id: string; idno: string; title: string; sort_title: string }[]>`
    select r.id, r.idno, r.title, r.sort_title from records r
    where r.record_type = ${kind} and r.deleted_at is null
      and (r.idno = any(${values as string[]}) or r.sort_title = any(${keys}))`;
  const byIdno = new Map(rows.map((row) => [row.idno, row.id]));
  const byTitle = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) byTitle.set(row.sort_title, [...(byTitle.get(row.sort_title) ?? []), row]);
  const found = new Map<string, string>();
  values.forEach((value, index) => {
    const named = byIdno.get(value);
    const key = keys[index]!;
    // keys without a letter, and keys that were cut, say too little
    const vague = key === "" || key.length >= 240;
    const titled = (byTitle.get(key) ?? []).filter((row) => !vague || row.title === value);
    if (!named && titled.length > 1) {
      throw new Problem(
        "invalid",
        `${JSON.stringify(value)} is the title of ${titled.length} ${kinds[kind].plural}; give the identification number instead`,
      );
    }
    const id = named ?? titled[0]?.id;
    if (id) found.set(value, id);
  });
  return found;
}

/** Values that differ only in case or accents become one record. */
async function createEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  wanted: readonly (readonly [string, Status])[],
): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  if (wanted.length === 0) return made;
  if (!mayDo(caller, "create", kind))
    throw new Problem("forbidden", `the role ${caller.role} may not create ${kinds[kind].plural}`);
  // two imports at once make one record of one name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  const found = await findEnds(
    tx,
    kind,
    wanted.map(([value]) => value),
  );
  const byKey = new Map<string, string>();
  const records = [];
  for (const [value, status] of wanted) {
    const known = found.get(value) ?? byKey.get(sortKey(value));
    if (known) {
      made.set(value, known);
      continue;
    }
    const id = newId();
    const state = newState(schema, kind, { status, metadata: { [kinds[kind].titleField]: [{ value }] } });
    demandValid(schema, kind, state);
    records.push({ id, state });
    byKey.set(sortKey(value), id);
    made.set(value, id);
  }
  const numbers = await nextIdnos(tx, kind, records.length);
  records.forEach(({ state }, index) => {
    state.idno = numbers[index]!;
  });
  await insertRecords(tx, kind, hand, records);
  return made;
}

/** Answers the items whose links are other ones now. */
async function writeLinks(
  tx: Tx,
  kind: Kind,
  hand: Hand,
  items: readonly LinkedItem[],
  links: readonly NewRelation[],
  replace: boolean,
): Promise<string[]> {
  const removed = replace ? await removeOthers(tx, items, links) : [];
  const added = await tx<{ from_id: string; to_id: string; relation_type: string }[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_by)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, ${hand.actorId}::uuid
    from json_to_recordset(${tx.json(links as never)}::json)
      as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb)
    on conflict (from_id, relation_type, to_id) do nothing
    returning from_id, to_id, relation_type`;
  const old = new Set(items.filter((item) => !item.fresh).map((item) => item.id));
  const notes = new Map<string, { added: unknown[]; removed: unknown[] }>();
  for (const [list, rows] of [
    ["added", added],
    ["removed", removed],
  ] as const) {
    for (const row of rows) {
      const id = old.has(row.from_id) ? row.from_id : old.has(row.to_id) ? row.to_id : null;
      if (id === null) continue;
      const note = notes.get(id) ?? { added: [], removed: [] };
      note[list].push(row);
      notes.set(id, note);
    }
  }
  const rows = await lockByIds(tx, kind, [...notes.keys()]);
  await updateRecords(
    tx,
    kind,
    hand,
    rows.map((row) => ({
      before: row,
      after: stateOf(row),
      action: notes.get(row.id)!.added.length > 0 ? "relation_added" : "relation_removed",
      note: notes.get(row.id),
    })),
  );
  return rows.map((row) => row.id);
}

async function removeOthers(tx: Tx, items: readonly LinkedItem[], links: readonly NewRelation[]) {
  const old = items.filter((item) => !item.fresh).map((item) => item.id);
  if (old.length === 0) return [];
  return tx<{ from_id: string; to_id: string; relation_type: string }[]>`
    delete from relations l
    where (l.from_id = any(${old}) or l.to_id = any(${old}))
      and exists (
        select 1 from json_to_recordset(${tx.json(links as never)}::json) as x(relation_type text, from_id uuid, to_id uuid)
        where x.relation_type = l.relation_type
          and ((x.from_id = l.from_id and l.from_id = any(${old})) or (x.to_id = l.to_id and l.to_id = any(${old}))))
      and not exists (
        select 1 from json_to_recordset(${tx.json(links as never)}::json) as x(relation_type text, from_id uuid, to_id uuid)
        where x.relation_type = l.relation_type and x.from_id = l.from_id and x.to_id = l.to_id)
    returning l.from_id, l.to_id, l.relation_type`;
}
