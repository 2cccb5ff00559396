/** Filters of lists that ask for links, for what a record lacks, and for who changed it: conditions on records named `r`. */
import type { Caller } from "../../caller.ts";
import { plainArray } from "../../ids.ts";
import type { Sql } from "../../services.ts";
import { isPicture, visibleMedia, visibleTo } from "../visibility.ts";

/** Links of these types begin at the record and lead to one of these. */
export type LinkedTo = { ids: readonly string[]; relationTypes: readonly string[] };

/**
 * None of these: links of these types that begin at the record, values of these fields, pictures. `oneOf`: at least one
 * of these fields has no value.
 */
export type Lack =
  | { relationTypes: readonly string[]; fields: readonly string[]; pictures: boolean }
  | { oneOf: readonly string[] };

export function isLinkedTo(sql: Sql, { ids, relationTypes }: LinkedTo) {
  return sql`r.id in (
    select l.from_id from relations l
    where l.to_id = any(${plainArray(ids)}::uuid[]) and l.relation_type = any(${relationTypes as string[]}::text[]))`;
}

export const isPictured = (sql: Sql, caller: Caller) => sql`exists (
  select from object_media m where m.object_id = r.id and ${isPicture(sql)} and ${visibleMedia(sql, caller)})`;

/** What the caller may not see does not count: private media, and links to records. */
export function lacks(sql: Sql, caller: Caller, lack: Lack) {
  if ("oneOf" in lack) return sql`not r.metadata ?& ${lack.oneOf as string[]}::text[]`;
  const { relationTypes, fields, pictures } = lack;
  const links = sql`exists (
    select from relations l, lateral (select from records r where r.id = l.to_id and ${visibleTo(sql, caller)}) seen
    where l.from_id = r.id and l.relation_type = any(${relationTypes as string[]}::text[]))`;
  const values = sql`exists (
    select from unnest(${fields as string[]}::text[]) f(name) where jsonb_array_length(r.metadata -> f.name) > 0)`;
  return sql`not (${links} or ${values} ${pictures ? sql`or ${isPictured(sql, caller)}` : sql``})`;
}

export const isChangedBy = (sql: Sql, accountId: string) =>
  sql`exists (select from revisions v where v.record_id = r.id and v.actor_id = ${accountId})`;
