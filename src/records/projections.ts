/**
 * Projections: data derived from records, such as the search index. `workers/projections.ts` lists them.
 *
 * A write marks its records for each enabled projection (`outbox.ts`). The writer makes the first attempt right after
 * its commit, and the worker retries what failed. Projections fail, wait and are rebuilt independently. If a record
 * gets another name or status, records that refer to it, or to a record below it, are also projected again.
 */

import type { Config } from "../config/read.ts";
import type { Told } from "../messages/said.ts";
import type { Services, Sql, Tx } from "../services.ts";
import type { Failure } from "./batch/in-halves.ts";
import type { Kind } from "./kinds.ts";
import { waitingToHide } from "./outbox.ts";

/** Most waiting records that a query brings up to date itself. */
const AT_ONCE = 500;

export type Projection = {
  /** Its name in the outbox, /metrics and commands: lower-case letters and hyphens. A new name means a new projection. */
  target: string;
  /** For people, in the middle of a sentence: "the search index". */
  title: Told;
  /** `all`: contains all records but those in the trash. `published`: contains all records that were ever public. */
  about: "all" | "published";
  isEnabled(config: Config): boolean;
  /** Rebuilt at a start if it was not enabled before; otherwise only on request. */
  fillsItself: boolean;
  /** Contains labels or mappings of fields, terms, subtypes or relation types, so it is rebuilt when they change. */
  showsConfiguration: boolean;
  /**
   * Updates it to the current state of these records, and removes those that are deleted or do not belong in it.
   * Returns the records that failed on their own; throws if its store is unavailable (`inHalves`).
   */
  project(services: Services, ids: readonly string[]): Promise<readonly Failure[]>;
  /** The ids in it, in order, so that a rebuild can remove those that are no longer records. */
  idsAfter(services: Services, after: string | null, limit: number): Promise<string[]>;
};

/** From now on, writes mark records for exactly these projections. */
export async function saveProjections(tx: Tx, enabled: readonly Projection[]): Promise<void> {
  const targets = enabled.map(({ target }) => target);
  const about = enabled.map((projection) => projection.about);
  // where there are no records yet, none is missing
  await tx`
    insert into projections (target, about, is_filled, configuration_version)
    select x.target, x.about, not exists (select 1 from records), c.version
    from unnest(${targets}::text[], ${about}::text[]) x(target, about), configuration c order by x.target
    on conflict (target) do update set about = excluded.about`;
  await tx`delete from projections where target <> all(${targets})`;
  await dropUnknownMarks(tx);
}

/** Old marks of projections that are no longer enabled, or marks of a write that began before. */
export async function dropUnknownMarks(sql: Sql | Tx): Promise<void> {
  await sql`delete from outbox o where not exists (select 1 from projections p where p.target = o.target)`;
}

/** Notes that it contains everything from before it was enabled, as of this version of the configuration. */
export async function noteFilled(sql: Sql, target: string, configurationVersion: number): Promise<void> {
  await sql`
    update projections set is_filled = true, configuration_version = ${configurationVersion} where target = ${target}`;
}

/** Projections that were filled with an older configuration, or may show what a later one took back. */
export async function outdatedProjections(sql: Sql): Promise<string[]> {
  const rows = await sql<{ target: string }[]>`
    select p.target from projections p, configuration c
    where p.configuration_version < case when p.is_filled then c.version else c.taken_back_version end`;
  return rows.map(({ target }) => target);
}

/**
 * Whether a projection may still show something that is no longer public. First brings records up to date that wait for this,
 * at most `AT_ONCE`.
 */
export async function mayShowTakenBack(
  { sql, changed }: Pick<Services, "sql" | "changed">,
  target: string,
): Promise<boolean> {
  const waiting = await waitingToHide(sql, target, AT_ONCE);
  if (waiting.length > 0) await changed(waiting);
  const [row] = await sql<{ may: boolean }[]>`
    select exists (select 1 from projections p, configuration c
      where p.target = ${target} and p.configuration_version < c.taken_back_version) as may`;
  return row!.may || (await waitingToHide(sql, target, 1)).length > 0;
}

type KnownProjection = { target: string; about: Projection["about"]; is_filled: boolean };

/** All enabled projections, including those that this program does not know. */
export async function knownProjections(sql: Sql | Tx): Promise<KnownProjection[]> {
  return sql<KnownProjection[]>`select target, about, is_filled from projections order by target`;
}

/** Ids of the records of this kind (null: all) that belong to it, in order. */
export async function projectedAfter(
  sql: Sql,
  { about }: Pick<Projection, "about">,
  kind: Kind | null,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from records
    where ${belongs(sql, about, kind)} ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function countProjected(
  sql: Sql,
  { about }: Pick<Projection, "about">,
  kind: Kind | null,
): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records where ${belongs(sql, about, kind)}`;
  return row!.n;
}

/** SQL: the record belongs to it, and is of this kind. */
const belongs = (sql: Sql, about: Projection["about"], kind: Kind | null) => sql`
  ${about === "all" ? sql`deleted_at is null` : sql`published_at is not null`}
  ${kind === null ? sql`` : sql`and record_type = ${kind}`}`;

/** The ids whose records do not belong to it. */
export async function notProjected(
  sql: Sql,
  { about }: Pick<Projection, "about">,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select x.id from unnest(${ids as string[]}::uuid[]) x(id)
    where not exists (select 1 from records r where r.id = x.id and ${belongs(sql, about, null)})`;
  return rows.map(({ id }) => id);
}
