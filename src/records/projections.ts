/**
 * What is made from the records and follows them: the search index, and more. Each is one line in `workers/projections.ts`.
 *
 * A write marks its records for each projection that is enabled (`outbox.ts`), the writer itself makes the first attempt
 * right after its commit, and the worker repeats what failed. Each fails, waits and is rebuilt alone. The neighbours of a
 * record that gets another name, or another standing, follow it without being named: those that point at it, or at what
 * lies below it.
 */
import type { Config } from "../config/read.ts";
import type { Services, Sql, Tx } from "../services.ts";
import type { Failure } from "./in-halves.ts";

export type Projection = {
  /** Its name in the outbox, /metrics and commands: small letters and hyphens. Another name is another projection. */
  target: string;
  /** For people, in the middle of a sentence: "the search index". */
  title: string;
  /** `published`: records that never were public do not concern it, and cost it nothing. */
  about: "all" | "published";
  isEnabled(config: Config): boolean;
  /** A service that starts with records for which it was not there rebuilds it; else somebody must ask for that. */
  fillsItself: boolean;
  /** Shows what fields, terms, subtypes and relation types are called or mean: it is rebuilt when one of them changes. */
  showsConfiguration: boolean;
  /**
   * Makes it agree with these records as they are now, whatever they were and in whatever order: what is no record any
   * more, or not for it, goes. Answers those that failed alone; throws when its place cannot be used (`inHalves`).
   */
  project(services: Services, ids: readonly string[]): Promise<readonly Failure[]>;
  /** Ids of what it has, in their order: a rebuild takes away what is no record any more. */
  idsAfter(services: Services, after: string | null, limit: number): Promise<string[]>;
};

/** Whoever writes from now on marks records for these, and for no others. */
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
  await dropForeignMarks(tx);
}

/** Marks for what is no longer enabled: of then, or of a write that began before that. */
export async function dropForeignMarks(sql: Sql | Tx): Promise<void> {
  await sql`delete from outbox o where not exists (select 1 from projections p where p.target = o.target)`;
}

/** It has everything that was there when it was enabled, and shows it as of this version of the configuration. */
export async function noteFilled(sql: Sql, target: string, configurationVersion: number): Promise<void> {
  await sql`
    update projections set is_filled = true, configuration_version = ${configurationVersion} where target = ${target}`;
}

/** Those that were filled with an older configuration. */
export async function behindConfiguration(sql: Sql): Promise<string[]> {
  const rows = await sql<{ target: string }[]>`
    select target from projections where is_filled and configuration_version < (select version from configuration)`;
  return rows.map(({ target }) => target);
}

export type KnownProjection = { target: string; about: Projection["about"]; is_filled: boolean };

/** Those that are enabled, whether this program has a line for them or not. */
export async function knownProjections(sql: Sql | Tx): Promise<KnownProjection[]> {
  return sql<KnownProjection[]>`select target, about, is_filled from projections order by target`;
}

/** Ids of the records that concern it, also of those in the trash, in their order. */
export async function concernedAfter(
  sql: Sql,
  { about }: Pick<Projection, "about">,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from records
    where ${about === "all" ? sql`true` : sql`published_at is not null`}
      ${after === null ? sql`` : sql`and id > ${after}`}
    order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function countConcerned(sql: Sql, { about }: Pick<Projection, "about">): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from records
    where ${about === "all" ? sql`true` : sql`published_at is not null`}`;
  return row!.n;
}

/** Those of the ids that no record has which concerns it. */
export async function strangersAmong(
  sql: Sql,
  { about }: Pick<Projection, "about">,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select x.id from unnest(${ids as string[]}::uuid[]) x(id)
    where not exists (
      select 1 from records r
      where r.id = x.id ${about === "all" ? sql`` : sql`and published_at is not null`})`;
  return rows.map(({ id }) => id);
}
