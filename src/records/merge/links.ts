/** Moves the links of a merged record to the one that stays, and back. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import { tidyNotes } from "../links/attributions.ts";
import { demandNoCircles } from "../links/hierarchies.ts";
import { demandOneLoanOfLinks } from "../links/loans.ts";
import { STORED_AT } from "../links/places.ts";
import { hasEntry, type Metadata } from "../record.ts";
import type { Schema } from "../schema.ts";

/** A row of `relations`, as JSON. */
export type LinkRow = {
  id: string;
  relation_type: string;
  from_id: string;
  to_id: string;
  metadata: Metadata;
} & Record<string, unknown>;

/** The record that goes, and the one that stays. */
export type Pair = { from: string; into: string };

export type MovedLinks = {
  /** `outgoing`: whether the merged record was at the first end. */
  moved: { id: string; outgoing: boolean; metadata: Metadata }[];
  /** Links that the other record has too, links between the two, and the place of an object that has another one. */
  removed: (LinkRow & { why: "double" | "between" | "place" })[];
  /** What else the doubles said is added to these. */
  joined: { id: string; before: Metadata; after: Metadata }[];
};

/** A link that an undo leaves as it is; all but its id is null if it is gone. */
export type LinkLeft = { id: string } & Record<"relation_type" | "from_id" | "to_id", string | null>;

export async function moveLinks(tx: Tx, schema: Schema, pair: Pair): Promise<MovedLinks> {
  const { from, into } = pair;
  const doubles = await findDoubles(tx, schema, pair);
  const joined = await joinDoubles(tx, doubles);
  const twice = doubles.map(({ id }) => id);
  const gone = await tx<{ row: MovedLinks["removed"][number] }[]>`
    with gone as (
      delete from relations l
      where l.id = any(${twice}) or (l.from_id = ${from} and l.to_id = ${into}) or (l.from_id = ${into} and l.to_id = ${from})
        or (l.from_id = ${from} and l.relation_type = ${STORED_AT} and exists (
          select 1 from relations o where o.from_id = ${into} and o.relation_type = ${STORED_AT}))
      returning to_jsonb(l) || jsonb_build_object('why', case when l.id = any(${twice}) then 'double'
        when ${into}::uuid in (l.from_id, l.to_id) then 'between' else 'place' end) as row)
    select row from gone order by row ->> 'id'`;
  const moved = await tx<MovedLinks["moved"]>`
    with moved as (
      update relations set from_id = case when from_id = ${from} then ${into} else from_id end,
        to_id = case when to_id = ${from} then ${into} else to_id end
      where from_id = ${from} or to_id = ${from}
      returning id, from_id = ${into} as outgoing, metadata)
    select * from moved order by id`;
  await demandOneLoanOfLinks(tx, await linksOf(tx, into));
  return { moved: [...moved], removed: gone.map(({ row }) => row), joined };
}

/** Links of the merged record that say the same as one of the other record (`twin`), also from the other end of a symmetric type. */
async function findDoubles(tx: Tx, schema: Schema, { from, into }: Pair) {
  const symmetric = [...schema.relationTypes.values()].flatMap(({ name, inverse }) =>
    name === inverse ? name : [],
  );
  const ends = (id: string) => tx`(
    select id, relation_type, metadata, link_says(metadata) as says, from_id = ${id} as outgoing,
      case when from_id = ${id} then to_id else from_id end as other
    from relations where from_id = ${id} or to_id = ${id})`;
  return tx<{ id: string; metadata: Metadata; twin: string; said: Metadata }[]>`
    select distinct on (l.id) l.id, l.metadata, t.id as twin, t.metadata as said
    from ${ends(from)} l join ${ends(into)} t
      on t.relation_type = l.relation_type and t.other = l.other and t.says = l.says
        and (t.outgoing = l.outgoing or l.relation_type = any(${symmetric}))
    order by l.id, t.id`;
}

/** Adds what only the doubles say. */
export async function joinDoubles(
  tx: Tx,
  doubles: readonly { twin: string; metadata: Metadata; said: Metadata }[],
): Promise<MovedLinks["joined"]> {
  const joined = new Map<string, MovedLinks["joined"][number]>();
  for (const { twin, metadata, said: before } of doubles) {
    const after = { ...(joined.get(twin)?.after ?? before) };
    for (const [name, entries] of Object.entries(metadata)) {
      const own = after[name] ?? [];
      const more = entries.filter((entry) => !hasEntry(own, entry));
      if (more.length === 0) continue;
      after[name] = [...own, ...more];
      joined.set(twin, { id: twin, before, after });
    }
  }
  const changes = [...joined.values()];
  if (changes.length > 0)
    await tx`
      update relations l set metadata = x.after
      from json_to_recordset(${tx.json(changes as never)}::json) as x(id uuid, after jsonb) where l.id = x.id`;
  return changes;
}

const linksOf = (tx: Tx, id: string) => tx<LinkRow[]>`
  select id, relation_type, from_id, to_id, metadata from relations where from_id = ${id} or to_id = ${id}`;

/** 409 if a hierarchy leads from this record back to it. */
export async function demandInNoCircle(tx: Tx, caller: Account, schema: Schema, id: string): Promise<void> {
  await demandNoCircles(
    tx,
    schema,
    caller,
    await linksOf(tx, id),
    ({ names }) => new Problem("conflict", said("problem.merge.hierarchy", { records: names })),
  );
}

/** Undoes `moveLinks`. Returns the links that stay as they are: changed or removed since, or between records that are gone. */
export async function returnLinks(
  tx: Tx,
  schema: Schema,
  { from, into }: Pair,
  links: MovedLinks,
): Promise<LinkLeft[]> {
  const { moved, removed, joined } = withTermsNow(schema, links);
  const now = await linksNow(
    tx,
    [...moved, ...joined].map(({ id }) => id),
  );
  const returning = moved.filter(({ id, outgoing, metadata }) => {
    const link = now.get(id);
    return link?.[outgoing ? "from_id" : "to_id"] === into && saysStill(link, metadata);
  });
  await tx`
    update relations l set from_id = case when x.outgoing then ${from}::uuid else l.from_id end,
      to_id = case when x.outgoing then l.to_id else ${from}::uuid end
    from json_to_recordset(${tx.json(returning as never)}::json) as x(id uuid, outgoing boolean) where l.id = x.id`;
  const parting = await unsay(tx, joined, now);
  const back = await putBack(tx, removed);
  return linksNotDone([...moved, ...joined, ...removed], [...returning, ...parting, ...back], now, removed);
}

/** What the links say, with the terms that merged ones are now. */
function withTermsNow(schema: Schema, { moved, removed, joined }: MovedLinks): MovedLinks {
  const tidy = (notes: Metadata) => tidyNotes(schema, notes);
  return {
    moved: moved.map((link) => ({ ...link, metadata: tidy(link.metadata) })),
    removed: removed.map((link) => ({ ...link, metadata: tidy(link.metadata) })),
    joined: joined.map(({ id, before, after }) => ({ id, before: tidy(before), after: tidy(after) })),
  };
}

/** These links as they are. */
export async function linksNow(tx: Tx, ids: readonly string[]): Promise<Map<string, LinkRow>> {
  const there = await tx<LinkRow[]>`
    select id, relation_type, from_id, to_id, metadata from relations where id = any(${ids as string[]}) for update`;
  return new Map(there.map((link) => [link.id, link]));
}

const saysStill = (link: LinkRow | undefined, metadata: Metadata): boolean =>
  JSON.stringify(link?.metadata ?? null) === JSON.stringify(metadata);

/** Gives links back what they said before, unless somebody has changed it since. Returns those. */
export async function unsay(
  tx: Tx,
  changes: MovedLinks["joined"],
  now: ReadonlyMap<string, LinkRow>,
): Promise<MovedLinks["joined"]> {
  const back = changes.filter(({ id, after }) => saysStill(now.get(id), after));
  await tx`
    update relations l set metadata = x.before
    from json_to_recordset(${tx.json(back as never)}::json) as x(id uuid, before jsonb) where l.id = x.id`;
  return back;
}

/** Links that a merge has removed, again. Returns those that there are now. */
export async function putBack(tx: Tx, removed: readonly LinkRow[]): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`
    insert into relations (id, relation_type, from_id, to_id, metadata, created_at, created_by, import_id)
    select x.id, x.relation_type, x.from_id, x.to_id, x.metadata, x.created_at, x.created_by,
      (select id from imports where id = x.import_id)
    from json_populate_recordset(null::relations, ${tx.json(removed as never)}::json) x
    where exists (select 1 from records where id = x.from_id) and exists (select 1 from records where id = x.to_id)
      and exists (select 1 from relation_types where name = x.relation_type)
    on conflict do nothing
    returning id`;
}

/** Those of `all` that are not `done`. */
export function linksNotDone(
  all: readonly { id: string }[],
  done: readonly { id: string }[],
  now: ReadonlyMap<string, LinkRow>,
  removed: readonly LinkRow[],
): LinkLeft[] {
  const ids = new Set(done.map(({ id }) => id));
  return all
    .filter(({ id }) => !ids.has(id))
    .map(({ id }) => {
      const link = now.get(id) ?? removed.find((row) => row.id === id);
      const { relation_type = null, from_id = null, to_id = null } = link ?? {};
      return { id, relation_type, from_id, to_id };
    });
}
