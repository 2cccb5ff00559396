/** Writes the links of many records at once, and notes them in the history. */
import { Problem } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import type { LinkedItem, LinkScope } from "../batch/link-requests.ts";
import { endsKey, hasNotes, linkKey } from "../batch/mirrored-links.ts";
import type { Kind } from "../kinds.ts";
import { lockByIds } from "../read/store.ts";
import type { Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";
import { updateRecords, type Writer } from "../write/store.ts";
import { partedNotes } from "./attributions.ts";
import { endEarlierPlaces, type MoveNotes, noteMovements, STORED_AT } from "./places.ts";
import { type Link, type NewRelation, orientRelation } from "./relations.ts";

export function directionOf(schema: Schema, kind: Kind, scope: LinkScope) {
  const direction = orientRelation(schema, kind, scope);
  if ("fault" in direction) throw new Problem("invalid", direction.fault);
  return direction;
}

/** A link that a merge or a replacement removes. `named`: the relation type as the item names it; `title`: of its target. */
export type LostLink = { named: string; to_type: Kind; title: string };

/**
 * Writes links. Returns the new ones, and those to earlier places, which it ends. A link that does not tell its role is not written
 * if there is one that qualifies the maker likewise; `role: []` tells that it has none.
 */
export async function insertLinks(
  tx: Tx,
  writer: Writer,
  links: readonly NewRelation[],
  move?: MoveNotes,
): Promise<{ added: Link[]; ended: Link[] }> {
  if (links.length === 0) return { added: [], ended: [] };
  const ended = await endEarlierPlaces(tx, links);
  const written = links.map(({ metadata: { role, ...notes }, ...link }) => ({
    ...link,
    metadata: role?.length ? { ...notes, role } : notes,
    says_role: role !== undefined,
  }));
  const added = await tx<Link[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_at, created_by, import_id)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, coalesce(x.created_at, now()), ${writer.actorId}::uuid,
      ${writer.importId ?? null}::uuid
    from json_to_recordset(${tx.json(written as never)}::json)
      as x(id uuid, relation_type text, from_id uuid, to_id uuid, metadata jsonb, created_at timestamptz, says_role boolean)
    where x.says_role or not exists (
      select 1 from relations l
      where l.from_id = x.from_id and l.relation_type = x.relation_type and l.to_id = x.to_id
        and attribution_of(l.metadata) = attribution_of(x.metadata))
    on conflict (from_id, relation_type, to_id, link_says(metadata)) do nothing
    returning from_id, to_id, relation_type, metadata`;
  await noteMovements(tx, writer, links, move);
  return { added, ended };
}

/** Writes new versions of the items whose links changed, and of objects that another item moves; returns their ids. */
export async function noteLinks(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  items: readonly LinkedItem[],
  added: readonly Link[],
  removed: readonly Link[],
): Promise<string[]> {
  if (added.length === 0 && removed.length === 0) return [];
  const old = new Set(items.filter((item) => !item.fresh).map((item) => item.id));
  type Notes = Map<string, { added: unknown[]; removed: unknown[] }>;
  const notes: Notes = new Map();
  const elsewhere: Notes = new Map();
  for (const [list, rows] of [
    ["added", added],
    ["removed", removed],
  ] as const) {
    for (const row of rows) {
      const id = old.has(row.from_id) ? row.from_id : old.has(row.to_id) ? row.to_id : null;
      if (id === null && (list === "added" || row.relation_type !== STORED_AT)) continue;
      const those = id === null ? elsewhere : notes;
      const note = those.get(id ?? row.from_id) ?? { added: [], removed: [] };
      note[list].push(row);
      those.set(id ?? row.from_id, note);
    }
  }
  return [
    ...(await writeNotes(tx, kind, writer, notes)),
    ...(await writeNotes(tx, "object", writer, elsewhere)),
  ];
}

async function writeNotes(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  notes: ReadonlyMap<string, { added: unknown[]; removed: unknown[] }>,
): Promise<string[]> {
  const rows = await lockByIds(tx, kind, [...notes.keys()]);
  await updateRecords(
    tx,
    kind,
    writer,
    rows.map((row) => ({
      before: row,
      after: row,
      action: notes.get(row.id)!.added.length > 0 ? "relation_added" : "relation_removed",
      note: notes.get(row.id),
    })),
  );
  return rows.map((row) => row.id);
}

/**
 * Removes the links of existing items within their scopes, except those that stay. If the item names no scopes, those of its
 * requests count, and a scope with an unfulfilled request keeps all its links. `lost`: the same links as their items name them.
 */
export async function removeOthers(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  items: readonly LinkedItem[],
  unfulfilled: readonly (LinkScope & { item: LinkedItem })[],
  staying: (there: readonly Link[]) => Promise<readonly Link[]>,
): Promise<{ removed: Link[]; lost: (LostLink & { item: string })[] }> {
  const scopeOf = ({ relation_type, to_type }: LinkScope, { id }: LinkedItem) =>
    `${id} ${relation_type} ${to_type}`;
  const held = new Set(unfulfilled.map((request) => scopeOf(request, request.item)));
  const scopes = items
    .filter((item) => !item.fresh)
    .flatMap((item) => {
      const { id, links } = item;
      return (links.scopes ?? links.requests.filter((request) => !held.has(scopeOf(request, item)))).map(
        (scope) => {
          const { type, inverse } = directionOf(schema, kind, scope);
          return {
            id,
            relation_type: type.name,
            named: scope.relation_type,
            to_type: scope.to_type,
            inverse,
          };
        },
      );
    });
  if (scopes.length === 0) return { removed: [], lost: [] };
  const own = tx`json_to_recordset(${tx.json(scopes)}::json)
    as s(id uuid, relation_type text, named text, to_type text, inverse boolean)`;
  const there = await tx<(Link & LostLink & { id: string; item: string })[]>`
    select l.id, l.from_id, l.to_id, l.relation_type, l.metadata, s.id as item, s.named, s.to_type, r.title
    from ${own} join relations l on l.from_id = s.id and l.relation_type = s.relation_type
      join records r on r.id = l.to_id and r.record_type = s.to_type
    where not s.inverse
    union
    select l.id, l.from_id, l.to_id, l.relation_type, l.metadata, s.id as item, s.named, s.to_type, r.title
    from ${own} join relations l on l.to_id = s.id and l.relation_type = s.relation_type
      join records r on r.id = l.from_id and r.record_type = s.to_type
    where s.inverse`;
  const stay = new Set<Link>(await staying(there));
  const lost = there.filter((link) => !stay.has(link));
  if (lost.length === 0) return { removed: [], lost };
  const ids = lost.map(({ id }) => id);
  const removed = await tx<Link[]>`
    delete from relations where id = any(${ids})
    returning id, from_id, to_id, relation_type, metadata, created_at::text as created_at`;
  return { removed, lost };
}

/**
 * Removes existing links whose roles change; `links` then contains the new roles, and the caller writes them again, in the same
 * places. Returns what was removed. If `replaces`, a link gets the requested roles, and several links between the same two records that
 * qualify their maker likewise become one, or one without a role and one with roles if both are in `links`. Otherwise a single link
 * keeps its roles and gets the requested one, too. If there or in `links` are several, those there stay, and only roles that none
 * of them has are written. @param there by key, as `meetLinks` finds them
 */
export async function removeRewrittenLinks(
  tx: Tx,
  schema: Schema,
  links: readonly NewRelation[],
  there: ReadonlyMap<string, readonly Link[]>,
  replaces: (link: NewRelation) => boolean,
): Promise<Link[]> {
  keepNotes(schema, links, there, replaces);
  const keys = links.map((link) => linkKey(schema, link));
  const requested = new Map<string, { times: number; bare?: true; withRole?: true }>();
  const form = (link: Pick<Link, "metadata">) => (link.metadata.role?.length ? "withRole" : "bare");
  for (const [index, link] of links.entries()) {
    const { times = 0, ...forms } = requested.get(keys[index]!) ?? {};
    requested.set(keys[index]!, { ...forms, times: times + 1, [form(link)]: true });
  }
  const removed = new Set<Link>();
  for (const [index, link] of links.entries()) {
    const wanted = requested.get(keys[index]!)!;
    const replace = replaces(link);
    // a link in the other form is of another request, if there is one
    const before = (there.get(keys[index]!) ?? []).filter(
      (each) => !replace || form(each) === form(link) || !wanted[form(each)],
    );
    const { role } = link.metadata;
    if (before.length === 0 || !hasNotes(link) || (!replace && role?.length === 0)) continue;
    const all = mergedMetadata(before);
    const stay = !replace && (before.length > 1 || wanted.times > 1);
    const { qualifying, notes } = partedNotes(link.metadata);
    const metadata: Metadata = { ...(stay ? {} : all), ...qualifying };
    let isNew = replace && role !== undefined && before.some((each) => form(each) !== form(link));
    for (const [name, entries] of Object.entries(notes)) {
      const old = all[name] ?? [];
      const fresh = entries.filter(({ value }) => !old.some((each) => each.value === value));
      if (fresh.length > 0 || (replace && entries.length < old.length)) isNew = true;
      metadata[name] = replace ? entries : stay ? fresh : [...old, ...fresh];
    }
    link.metadata = isNew ? metadata : before[0]!.metadata;
    if (!isNew || stay) continue;
    const { id, created_at } = before[0]!;
    if (!removed.has(before[0]!)) Object.assign(link, { id, created_at });
    for (const each of before) removed.add(each);
  }
  if (removed.size > 0) await tx`delete from relations where id = any(${[...removed].map(({ id }) => id!)})`;
  return [...removed];
}

/** Gives a link that qualifies its maker anew, but does not tell its role, the notes of the one link that it replaces. */
function keepNotes(
  schema: Schema,
  links: readonly NewRelation[],
  there: ReadonlyMap<string, readonly Link[]>,
  replaces: (link: NewRelation) => boolean,
): void {
  const requested = new Set(links.map((link) => linkKey(schema, link)));
  const replaced = new Map<string, Link[]>();
  for (const [key, old] of there) {
    if (requested.has(key)) continue;
    const ends = endsKey(schema, old[0]!);
    replaced.set(ends, [...(replaced.get(ends) ?? []), ...old]);
  }
  for (const link of links) {
    const old = replaced.get(endsKey(schema, link)) ?? [];
    if (old.length !== 1 || hasNotes(link) || !replaces(link) || there.has(linkKey(schema, link))) continue;
    link.metadata = { ...link.metadata, ...partedNotes(old[0]!.metadata).notes };
  }
}

/** The merged data of several links between the same two records. */
function mergedMetadata(links: readonly Link[]): Metadata {
  const all: Metadata = {};
  for (const { metadata } of links)
    for (const [name, entries] of Object.entries(metadata)) {
      const old = all[name] ?? [];
      all[name] = [...old, ...entries.filter(({ value }) => !old.some((each) => each.value === value))];
    }
  return all;
}
