/** Takes the links of a record back to those of an older version: links that begin at it, but not where an object is, which is moved. */
import { type Account, actorId } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { invalidAt } from "../../problem.ts";
import type { Sql, Tx } from "../../services.ts";
import { findEnds, type NotedLink, notedChanges } from "../read/link-changes.ts";
import { recordsNow } from "../read/store.ts";
import type { RecordRow } from "../record.ts";
import type { Schema } from "../schema.ts";
import { maySee, maySeeLinksOf } from "../visibility.ts";
import { tidyNotes } from "./attributions.ts";
import { demandNoCircles } from "./hierarchies.ts";
import { STORED_AT } from "./places.ts";
import { demandNotMirrored, insertRelations } from "./relations.ts";

/** `left`: links that cannot come back, because the other record is in the trash or gone. */
type LinksThen = { added: NotedLink[]; removed: NotedLink[]; left: NotedLink[] };

/** What would come, go and be left. What the caller may not see stays as it is. */
export async function linksToRevert(
  tx: Sql | Tx,
  schema: Schema,
  caller: Account,
  row: RecordRow,
  version: number,
): Promise<LinksThen> {
  const now = await tx<NotedLink[]>`
    select id, relation_type, from_id, to_id, metadata, created_at::text as created_at from relations where from_id = ${row.id}`;
  const revisions = await tx<Parameters<typeof notedChanges>[0][]>`
    select v.record_id, v.action, v.note from revisions v
      join revisions o on o.record_id = ${row.id} and o.version = ${version}
    where v.note is not null and links_noted(v.note) ? ${row.id}
      and case when v.record_id = ${row.id} then v.version > ${version} else v.at > o.at end
    order by v.at desc, v.version desc`;
  const keyOf = ({ relation_type, to_id, metadata = {} }: NotedLink): string =>
    JSON.stringify([relation_type, to_id, tidyNotes(schema, metadata)]);
  const then = new Map(now.map((link) => [keyOf(link), link]));
  const noted = revisions.flatMap(notedChanges).filter(({ link }) => link.from_id === row.id);
  const ids = await recordsNow(
    tx,
    noted.map(({ link }) => link.to_id),
  );
  for (const { link: was, from, to } of noted) {
    const link = { ...was, to_id: ids.get(was.to_id)! };
    const before = to && then.get(keyOf({ ...link, metadata: to }));
    if (to) then.delete(keyOf({ ...link, metadata: to }));
    // a link that only changed keeps its id and its place
    if (from)
      then.set(keyOf({ ...link, metadata: from }), {
        ...before,
        ...link,
        metadata: tidyNotes(schema, from),
      });
  }
  const is = new Map(now.map((link) => [keyOf(link), link]));
  const back = [...then.values()].filter((link) => !is.has(keyOf(link)));
  const away = now.filter((link) => !then.has(keyOf(link)));
  const ends = await findEnds(
    tx,
    caller,
    [...back, ...away].map(({ to_id }) => to_id),
  );
  const isOpen = ({ relation_type, to_id }: NotedLink) => {
    const type = schema.relationTypes.get(relation_type);
    const isSeen = type !== undefined && maySeeLinksOf(caller, type, row.record_type) && ends.has(to_id);
    return isSeen && relation_type !== STORED_AT;
  };
  const isThere = ({ to_id }: NotedLink) => {
    const end = ends.get(to_id);
    return end !== null && end !== undefined && maySee(caller, end);
  };
  const wanted = back.filter(isOpen);
  return {
    added: wanted.filter(isThere),
    removed: away.filter((link) => isOpen(link) && isThere(link)),
    left: wanted.filter((link) => !isThere(link)),
  };
}

/** Writes the links, without a version. Returns the note for the history, null if all is as it was. */
export async function revertLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  row: RecordRow,
  version: number,
): Promise<Record<string, unknown> | null> {
  const { added, removed, left } = await linksToRevert(tx, schema, caller, row, version);
  if (removed.length + added.length + left.length === 0) return null;
  await tx`delete from relations where id = any(${removed.map(({ id }) => id!)})`;
  const fresh = added.map((link) => ({ ...link, id: link.id ?? newId(), metadata: link.metadata ?? {} }));
  for (const { relation_type, from_id, to_id, metadata } of fresh)
    if (schema.relationTypes.get(relation_type)!.inverse === relation_type)
      await demandNotMirrored(tx, relation_type, to_id, from_id, metadata);
  await insertRelations(tx, actorId(caller), fresh);
  await demandNoCircles(tx, schema, caller, fresh, ({ names }) =>
    invalidAt("", said("fault.relation.circle", { records: names })),
  );
  return { added: fresh, removed, ...(left.length > 0 ? { left } : {}) };
}
