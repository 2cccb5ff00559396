/** Links that say a merged term (roles, and how a maker is qualified) say the other one, and back. */

import type { Kind } from "../../records/kinds.ts";
import { NOTES_OF_TERMS } from "../../records/links/attributions.ts";
import {
  joinDoubles,
  type LinkLeft,
  type LinkRow,
  linksNotDone,
  linksNow,
  type MovedLinks,
  putBack,
  unsay,
} from "../../records/merge/links.ts";
import { markChanged } from "../../records/outbox.ts";
import { type Metadata, renamedEntries } from "../../records/record.ts";
import type { Tx } from "../../services.ts";

/** `renamed`: what the links said, and say now. Two that say the same now are one. */
export type MovedRoles = Pick<MovedLinks, "removed" | "joined"> & { renamed: MovedLinks["joined"] };

/** What becomes of the links that say a term. `doubles`: those that will say the same as another one. */
export type RolesPlan = {
  links: LinkRow[];
  renamed: MovedRoles["renamed"];
  doubles: Double[];
};
type Double = { id: string; metadata: Metadata; twin: string; said: Metadata };

export async function planRoles(
  tx: Tx,
  vocabulary: string,
  { from, into }: { from: string; into: string },
): Promise<RolesPlan> {
  const names = Object.entries(NOTES_OF_TERMS).flatMap(([name, of]) => (of === vocabulary ? name : []));
  const said = tx`jsonb_build_array(jsonb_build_object('value', ${from}::text))`;
  const links: LinkRow[] = [];
  for (const name of names)
    links.push(
      ...(await tx<LinkRow[]>`
        select l.* from relations l where l.metadata -> ${name} @> ${said} order by l.id`),
    );
  if (links.length === 0) return { links, renamed: [], doubles: [] };
  const changes = links.map(({ id, metadata: before }) => {
    const after: Metadata = { ...before };
    for (const name of names)
      if (after[name])
        after[name] = renamedEntries(after[name], (value) => (value === from ? into : undefined));
    return { id, before, after };
  });
  const doubles = await findDoubles(tx, changes);
  const twice = new Set(doubles.map(({ id }) => id));
  return { links, renamed: changes.filter(({ id }) => !twice.has(id)), doubles };
}

export async function moveRoles(tx: Tx, { links, renamed, doubles }: RolesPlan): Promise<MovedRoles> {
  if (links.length === 0) return { removed: [], joined: [], renamed: [] };
  const gone = await tx<{ row: MovedRoles["removed"][number] }[]>`
    with gone as (
      delete from relations l where l.id = any(${doubles.map(({ id }) => id)})
      returning to_jsonb(l) || jsonb_build_object('why', 'double') as row)
    select row from gone order by row ->> 'id'`;
  await tx`
    update relations l set metadata = x.after
    from json_to_recordset(${tx.json(renamed as never)}::json) as x(id uuid, after jsonb) where l.id = x.id`;
  const joined = await joinDoubles(tx, doubles);
  await markEnds(tx, links);
  return { removed: gone.map(({ row }) => row), joined, renamed };
}

/** Of links that will say the same as another one of their ends and type, all but one (`twin`). */
async function findDoubles(tx: Tx, changes: MovedRoles["renamed"]): Promise<Double[]> {
  return tx<Double[]>`
    with changed as (
      select l.id, l.from_id, l.relation_type, l.to_id, x.after as metadata, true as is_changed
      from json_to_recordset(${tx.json(changes as never)}::json) as x(id uuid, after jsonb) join relations l on l.id = x.id),
    ends as (
      select * from changed
      union all
      select l.id, l.from_id, l.relation_type, l.to_id, l.metadata, false
      from relations l join (select distinct from_id, relation_type, to_id from changed) c using (from_id, relation_type, to_id)
      where l.id not in (select id from changed)),
    alike as (
      select *, first_value(id) over w as twin, first_value(metadata) over w as said
      from ends
      window w as (partition by from_id, relation_type, to_id, link_says(metadata) order by is_changed, id))
    select id, metadata, twin, said from alike where id <> twin order by id`;
}

/** Undoes it. Returns the links that stay as they are. */
export async function returnRoles(tx: Tx, { removed, joined, renamed }: MovedRoles): Promise<LinkLeft[]> {
  const ids = [...renamed, ...joined].map(({ id }) => id);
  const parted = await unsay(tx, joined, await linksNow(tx, ids));
  const now = await linksNow(tx, ids);
  const back = [...(await unsay(tx, renamed, now)), ...(await putBack(tx, removed))];
  const kept = joined.filter((change) => !parted.includes(change));
  await markEnds(tx, [...now.values(), ...removed]);
  return linksNotDone([...kept, ...renamed, ...removed], back, now, removed);
}

/** The kinds of the records at the first ends of these links. */
export async function kindsOfLinks(tx: Tx, links: readonly LinkRow[]): Promise<Kind[]> {
  const ids = links.map(({ from_id }) => from_id);
  const rows = await tx<{ kind: Kind }[]>`
    select distinct record_type as kind from records where id = any(${ids})`;
  return rows.map(({ kind }) => kind);
}

/** The same of the links that an undo may change. */
export async function kindsToReturn(tx: Tx, { removed, joined, renamed }: MovedRoles): Promise<Kind[]> {
  const ids = [...renamed, ...joined].map(({ id }) => id);
  return kindsOfLinks(tx, [...(await linksNow(tx, ids)).values(), ...removed]);
}

const markEnds = (tx: Tx, links: readonly LinkRow[]): Promise<void> =>
  markChanged(tx, [...new Set(links.flatMap(({ from_id, to_id }) => [from_id, to_id]))], {
    by: "worker",
    hides: true,
  });
