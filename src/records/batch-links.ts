/** Relations that come with many records at once, as a source speaks of them: their far ends are names. */
import type { Account } from "../caller.ts";
import { newId } from "../ids.ts";
import { type Fault, Problem } from "../problem.ts";
import type { Tx } from "../services.ts";
import { createEnds, type End, findEnds } from "./batch-ends.ts";
import { type DescribedEnd, saveDescribed } from "./described-ends.ts";
import { circleThrough, lockHierarchies } from "./hierarchies.ts";
import { type Kind, kinds, type Status } from "./kinds.ts";
import { demandOneLoanOfLinks } from "./loans.ts";
import { withoutMirrored } from "./mirrored-links.ts";
import { type Metadata, stateOf } from "./record.ts";
import { type NewRelation, orientRelation } from "./relations.ts";
import { type Hand, updateRecords } from "./save.ts";
import { relationTypeNamed, type Schema } from "./schema.ts";
import { lockByIds } from "./store.ts";

/** Links of one type to records of one type, as a source speaks of them: from its own records' side. */
export type LinkScope = { relation_type: string; to_type: Kind };

/**
 * `create: false`: no record is made of the name when there is none. `comes`: nor is one when there is none yet, as the
 * source has a record of this name elsewhere.
 */
export type LinkWish = LinkScope & {
  value: string;
  create?: false;
  comes?: boolean;
  /** What the source knows of it beside its name, by which it is found and made. */
  described?: DescribedEnd;
  /** Of the link: who it is in it. */
  metadata?: Metadata;
};

export type ItemLinks = {
  wishes: readonly LinkWish[];
  /**
   * What is replaced in a record that is there: afterwards it has the wished links of these kinds and no others. Without
   * them the kinds of the wishes, but for those of which a wish cannot be fulfilled.
   */
  scopes?: readonly LinkScope[];
  /** Status of far ends that have to be made, as far as they may have it. */
  newStatus: Status;
};

/** A far end that had to be made. */
export type MadeEnd = { record_type: Kind; title: string };

/** A far end that was found by a title which is spelled in another way than the name. */
export type JoinedEnd = { record_type: Kind; value: string; title: string };

/** What is said of a far end that is not there and must not be made. */
export function absentEnd({ to_type, value }: LinkWish): Fault {
  return {
    pointer: "",
    detail: `there is no ${kinds[to_type].singular} ${JSON.stringify(value)}, which it names`,
  };
}

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
 * Writes the links. `made`: new far ends, by the item that wished for each first; `joined`: by item, far ends of another
 * spelling; `absent`: by item, the far ends that are not there and must not be made, whose links are left out; `changed`: items that were there before and have other links now;
 * `touched`: whatever else must be projected.
 */
export async function saveLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  hand: Hand,
  items: readonly LinkedItem[],
  replace: boolean,
): Promise<{
  made: Map<string, MadeEnd[]>;
  joined: Map<string, JoinedEnd[]>;
  absent: Map<string, Fault[]>;
  changed: string[];
  touched: string[];
}> {
  const all = items.flatMap((item) => item.links.wishes.map((wish) => ({ ...wish, item })));
  const made = new Map<string, MadeEnd[]>();
  const created: string[] = [];
  const ends = new Map<string, End>();
  const described = await saveDescribed(
    tx,
    { schema, caller, hand, enriches: replace },
    all.flatMap(({ described, to_type, item }) =>
      described ? [{ ...described, kind: to_type, status: item.links.newStatus, wisher: item.id }] : [],
    ),
  );
  for (const { end, name, kind: toType, wisher } of described.made) {
    created.push(end.id);
    made.set(wisher, [...(made.get(wisher) ?? []), { record_type: toType, title: name }]);
  }
  const named = all.filter((wish) => !wish.described);
  for (const toType of new Set(named.map((wish) => wish.to_type))) {
    const first = new Map<string, (typeof all)[number]>();
    for (const wish of named) {
      const known = first.get(wish.value);
      // one that may not make the record does not keep another from it
      const counts = !known || (known.create === false && wish.create !== false);
      if (wish.to_type === toType && counts) first.set(wish.value, wish);
    }
    const found = await findEnds(tx, toType, [...first.keys()]);
    const missing = [...first].flatMap(([value, { comes, create, item }]) =>
      found.has(value) || comes || create === false ? [] : [[value, item.links.newStatus] as const],
    );
    for (const [value, end] of await createEnds(tx, schema, caller, toType, hand, missing)) {
      found.set(value, end);
      if (!end.fresh) continue;
      created.push(end.id);
      const wisher = first.get(value)!.item.id;
      made.set(wisher, [...(made.get(wisher) ?? []), { record_type: toType, title: value }]);
    }
    for (const [value, end] of found) ends.set(`${toType} ${value}`, end);
  }
  const endOf = ({ to_type, value, described: one }: LinkWish): End | undefined =>
    one ? described.ends.get(`${to_type} ${one.key}`) : ends.get(`${to_type} ${value}`);
  const absent = new Map<string, Fault[]>();
  const joined = new Map<string, JoinedEnd[]>();
  const wishes = all.filter((wish) => {
    const { to_type, value, item } = wish;
    const end = endOf(wish);
    if (!end) absent.set(item.id, [...(absent.get(item.id) ?? []), absentEnd(wish)]);
    else if (end.title !== undefined && end.title.normalize() !== value.normalize())
      joined.set(item.id, [
        ...(joined.get(item.id) ?? []),
        { record_type: to_type, value, title: end.title },
      ]);
    return end !== undefined;
  });
  const links: NewRelation[] = wishes.map((wish) => {
    const direction = oriented(schema, kind, wish);
    const other = endOf(wish)!.id;
    if (other === wish.item.id) throw new Problem("invalid", "A record has no relation to itself");
    const [from_id, to_id] = direction.inverse ? [other, wish.item.id] : [wish.item.id, other];
    return { id: newId(), relation_type: direction.type.name, from_id, to_id, metadata: wish.metadata ?? {} };
  });
  const inVain = all.filter((wish) => !wish.comes && !wishes.includes(wish));
  const removed = replace ? await removeOthers(tx, schema, kind, items, links, inVain) : [];
  const wanted = await withoutMirrored(tx, schema, links);
  const added = await insertLinks(tx, hand, [...wanted, ...described.links]);
  await demandOneLoanOfLinks(tx, added);
  await demandNoCircles(tx, schema, caller, added, (from, to) =>
    wishes.flatMap(({ item }, place) =>
      links[place]!.from_id === from && links[place]!.to_id === to ? item.links : [],
    ),
  );
  const changed = await noteLinks(tx, kind, hand, items, added, removed);
  return { made, joined, absent, changed, touched: [...changed, ...created, ...described.enriched] };
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

/** As the history notes it: all that is needed to find it among several, and to bring it back. */
type Link = { from_id: string; to_id: string; relation_type: string; metadata: Metadata };

/** Writes links; answers those that were not there before. One without a role is there when one with a role is. */
export async function insertLinks(tx: Tx, hand: Hand, links: readonly NewRelation[]): Promise<Link[]> {
  if (links.length === 0) return [];
  return tx<Link[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_by, import_id)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, ${hand.actorId}::uuid, ${hand.importId ?? null}::uuid
    from json_to_recordset(${tx.json(links as never)}::json)
      as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb)
    where x.metadata ->> 'role' is not null or not exists (
      select 1 from relations l
      where l.from_id = x.from_id and l.relation_type = x.relation_type and l.to_id = x.to_id)
    on conflict (from_id, relation_type, to_id, md5(coalesce(metadata ->> 'role', ''))) do nothing
    returning from_id, to_id, relation_type, metadata`;
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
  inVain: readonly (LinkScope & { item: LinkedItem })[],
): Promise<Link[]> {
  const scopeOf = ({ relation_type, to_type }: LinkScope, { id }: LinkedItem) =>
    `${id} ${relation_type} ${to_type}`;
  const held = new Set(inVain.map((wish) => scopeOf(wish, wish.item)));
  const scopes = items
    .filter((item) => !item.fresh)
    .flatMap((item) => {
      const { id, links } = item;
      return (links.scopes ?? links.wishes.filter((wish) => !held.has(scopeOf(wish, item)))).map((scope) => {
        const { type, inverse } = oriented(schema, kind, scope);
        return { id, relation_type: type.name, to_type: scope.to_type, inverse };
      });
    });
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
      select 1 from json_to_recordset(${tx.json(links as never)}::json)
        as x(relation_type text, from_id uuid, to_id uuid, metadata jsonb)
      where x.relation_type = d.relation_type and x.from_id = d.from_id and x.to_id = d.to_id
        and (x.metadata ->> 'role' is null or x.metadata ->> 'role' = d.metadata ->> 'role'))
    returning d.from_id, d.to_id, d.relation_type, d.metadata`;
}
