/** Relations that come with many records at once: far ends are found by number or title, and made when they are missing. */
import { type Account, mayDo } from "../accounts/caller.ts";
import { newId } from "../ids.ts";
import { Problem } from "../problem.ts";
import type { Tx } from "../services.ts";
import { sortKey } from "../text.ts";
import { missingFaults } from "./fields.ts";
import { circleThrough, lockHierarchies } from "./hierarchies.ts";
import { type Kind, kinds, type Status } from "./kinds.ts";
import { nextIdnos } from "./numbers.ts";
import { type Metadata, type RecordState, stateOf } from "./record.ts";
import { type NewRelation, orientRelation } from "./relations.ts";
import { newState, stateFaults } from "./rules.ts";
import { type Hand, insertRecords, updateRecords } from "./save.ts";
import { relationTypeNamed, type Schema } from "./schema.ts";
import { lockByIds } from "./store.ts";

/** Links of one type to records of one type, as a source speaks of them: from its own records' side. */
export type LinkScope = { relation_type: string; to_type: Kind };

export type ItemLinks = {
  wishes: readonly (LinkScope & { value: string })[];
  /** What a replacement replaces: afterwards the record has the wished links of these kinds and no others. */
  scopes?: readonly LinkScope[];
  /** Status of far ends that have to be made, as far as they may have it. */
  newStatus: Status;
};

/** A far end that had to be made. */
export type MadeEnd = { record_type: Kind; title: string };

type LinkedItem = { id: string; links: ItemLinks; fresh: boolean };

/** Before any record is locked: what `saveLinks` will write into hierarchies is written by nobody else meanwhile. */
export async function lockLinks(tx: Tx, schema: Schema, links: readonly ItemLinks[]): Promise<void> {
  const names = new Set(links.flatMap(({ wishes }) => wishes.map((wish) => wish.relation_type)));
  await lockHierarchies(
    tx,
    [...names].flatMap((name) => relationTypeNamed(schema, name)?.type ?? []),
  );
}

/**
 * Writes the links. `made`: new far ends, by the item that wished for each first; `changed`: items that were there
 * before and have other links now; `touched`: whatever else must be projected.
 */
export async function saveLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  items: readonly LinkedItem[],
  replace: boolean,
): Promise<{ made: Map<string, MadeEnd[]>; changed: string[]; touched: string[] }> {
  const wishes = items.flatMap((item) => item.links.wishes.map((wish) => ({ ...wish, item })));
  const made = new Map<string, MadeEnd[]>();
  const created: string[] = [];
  const ends = new Map<string, string>();
  for (const toType of new Set(wishes.map((wish) => wish.to_type))) {
    const first = new Map<string, LinkedItem>();
    for (const { to_type, value, item } of wishes)
      if (to_type === toType && !first.has(value)) first.set(value, item);
    const found = await findEnds(tx, toType, [...first.keys()]);
    const missing = [...first].filter(([value]) => !found.has(value));
    for (const [value, { id, fresh }] of await createEnds(tx, schema, caller, toType, hand, missing)) {
      found.set(value, id);
      if (!fresh) continue;
      created.push(id);
      const wisher = first.get(value)!.id;
      made.set(wisher, [...(made.get(wisher) ?? []), { record_type: toType, title: value }]);
    }
    for (const [value, id] of found) ends.set(`${toType} ${value}`, id);
  }
  const links: NewRelation[] = wishes.map((wish) => {
    const direction = oriented(schema, kind, wish);
    const other = ends.get(`${wish.to_type} ${wish.value}`)!;
    if (other === wish.item.id) throw new Problem("invalid", "A record has no relation to itself");
    const [from_id, to_id] = direction.inverse ? [other, wish.item.id] : [wish.item.id, other];
    return { id: newId(), relation_type: direction.type.name, from_id, to_id, metadata: {} };
  });
  const removed = replace ? await removeOthers(tx, schema, kind, items, links) : [];
  const added = await insertLinks(tx, hand, links);
  await demandNoCircles(tx, schema, caller, added, (from, to) =>
    wishes.flatMap(({ item }, place) =>
      links[place]!.from_id === from && links[place]!.to_id === to ? item.links : [],
    ),
  );
  const changed = await noteLinks(tx, kind, hand, items, added, removed);
  return { made, changed, touched: [...changed, ...created] };
}

/** Its items are refused together: one of them alone would make a record of the name of another. */
export class CircleProblem extends Problem {
  readonly links: readonly ItemLinks[];

  constructor(told: string, links: readonly ItemLinks[]) {
    super("invalid", `would make a circle: ${told}`);
    this.links = links;
  }
}

async function demandNoCircles(
  tx: Tx,
  schema: Schema,
  caller: Account,
  links: readonly Link[],
  wishedBy: (from: string, to: string) => ItemLinks[],
): Promise<void> {
  for (const name of new Set(links.map((link) => link.relation_type))) {
    if (!schema.relationTypes.get(name)?.is_hierarchical) continue;
    const own = links.filter((link) => link.relation_type === name);
    const circle = await circleThrough(tx, caller, name, own);
    if (!circle) continue;
    const pairs = circle.ids.slice(1).map((to, place) => wishedBy(circle.ids[place]!, to));
    throw new CircleProblem(circle.told, pairs.flat());
  }
}

function oriented(schema: Schema, kind: Kind, scope: LinkScope) {
  const direction = orientRelation(schema, kind, scope);
  if (typeof direction === "string") throw new Problem("invalid", direction);
  return direction;
}

/** Keys without a letter, and keys that were cut, say too little to tell two titles apart. */
function isVague(key: string): boolean {
  return key === "" || key.length >= 240;
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
    const titled = (byTitle.get(key) ?? []).filter((row) => !isVague(key) || row.title === value);
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

/** Values that differ only in case or accents become one record; `fresh` stands with the first of them. */
async function createEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  wanted: readonly (readonly [string, LinkedItem])[],
): Promise<Map<string, { id: string; fresh: boolean }>> {
  const made = new Map<string, { id: string; fresh: boolean }>();
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
  for (const [value, { links }] of wanted) {
    const key = isVague(sortKey(value)) ? `= ${value}` : sortKey(value);
    const known = found.get(value) ?? byKey.get(key);
    if (known) {
      made.set(value, { id: known, fresh: false });
      continue;
    }
    const id = newId();
    records.push({ id, state: newEnd(schema, kind, value, links.newStatus) });
    byKey.set(key, id);
    made.set(value, { id, fresh: true });
  }
  const numbers = await nextIdnos(tx, kind, records.length);
  records.forEach(({ state }, index) => {
    state.idno = numbers[index]!;
  });
  await insertRecords(tx, kind, hand, records);
  return made;
}

/** A record that has nothing but a name. What may not be public yet waits as a draft; a storage location never may. */
function newEnd(schema: Schema, kind: Kind, name: string, wished: Status): RecordState {
  const metadata = { [kinds[kind].titleField]: [{ value: name }] };
  let status: Status = wished;
  if (status === "public" && kind === "storage_location") status = "internal";
  if (status === "public" && missingFaults(schema, kind, metadata).length > 0) status = "draft";
  const state = newState(schema, kind, { status, metadata });
  const [fault] = stateFaults(schema, kind, state);
  if (!fault) return state;
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  throw new Problem("invalid", `no ${kinds[kind].singular} can be made of ${shown}: ${fault.detail}`);
}

/** As the history notes it; of a removed one all that is needed to bring it back. */
type Link = { from_id: string; to_id: string; relation_type: string; metadata?: Metadata };

/** Those that were not there before. */
async function insertLinks(tx: Tx, hand: Hand, links: readonly NewRelation[]): Promise<Link[]> {
  if (links.length === 0) return [];
  return tx<Link[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_by, import_id)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, ${hand.actorId}::uuid, ${hand.importId ?? null}::uuid
    from json_to_recordset(${tx.json(links as never)}::json)
      as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb)
    on conflict (from_id, relation_type, to_id) do nothing
    returning from_id, to_id, relation_type`;
}

/** New versions of the items whose links are other ones now; answers their ids. */
async function noteLinks(
  tx: Tx,
  kind: Kind,
  hand: Hand,
  items: readonly LinkedItem[],
  added: readonly Link[],
  removed: readonly Link[],
): Promise<string[]> {
  if (added.length === 0 && removed.length === 0) return [];
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

/** Takes away the links within the scopes of the items that were there before, except those that are wished. */
async function removeOthers(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  items: readonly LinkedItem[],
  links: readonly NewRelation[],
): Promise<Link[]> {
  const scopes = items
    .filter((item) => !item.fresh)
    .flatMap(({ id, links: { wishes, scopes } }) =>
      (scopes ?? wishes).map((scope) => {
        const { type, inverse } = oriented(schema, kind, scope);
        return { id, relation_type: type.name, to_type: scope.to_type, inverse };
      }),
    );
  if (scopes.length === 0) return [];
  const own = tx`json_to_recordset(${tx.json(scopes)}::json)
    as s(id uuid, relation_type text, to_type text, inverse boolean)`;
  return tx<Link[]>`
    delete from relations d where d.id in (
      select l.id from ${own} join relations l on l.from_id = s.id and l.relation_type = s.relation_type
        join records r on r.id = l.to_id and r.record_type = s.to_type
      where not s.inverse
      union all
      select l.id from ${own} join relations l on l.to_id = s.id and l.relation_type = s.relation_type
        join records r on r.id = l.from_id and r.record_type = s.to_type
      where s.inverse)
    and not exists (
      select 1 from json_to_recordset(${tx.json(links as never)}::json) as x(relation_type text, from_id uuid, to_id uuid)
      where x.relation_type = d.relation_type and x.from_id = d.from_id and x.to_id = d.to_id)
    returning d.from_id, d.to_id, d.relation_type, d.metadata`;
}
