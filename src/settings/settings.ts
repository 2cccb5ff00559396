/** The settings of the installation. Stored in the database, cached in memory, and reloaded when their version in the database changes. */
import type { Services, Sql, Tx } from "../services.ts";
import { type SettingsContent, SettingsContentShape } from "./shape.ts";

/** `file`: its name in the address, a hash of its content. */
export type Logo = { file: string; type: string; width: number; height: number };

/** Where it is to be had. */
export const logoPath = ({ file }: Logo): string => `/logo/${file}`;

export type Settings = SettingsContent & {
  logo: Logo | null;
  /** The version of the configuration when they were read. */
  version: number;
};

/** The defaults. */
export const DEFAULTS: Settings = { ...SettingsContentShape.parse({}), logo: null, version: 0 };

const copies = new WeakMap<Sql, Settings>();

/** The current settings. */
export async function settingsOf(services: Pick<Services, "sql">): Promise<Settings> {
  return (await settingsAndDatabaseVersion(services)).settings;
}

/**
 * The settings, and `databaseVersion`: the transactions that a statement sees. While these are the same, nothing in the
 * database has changed; anything read afterwards is at least as new.
 */
export async function settingsAndDatabaseVersion({
  sql,
}: Pick<Services, "sql">): Promise<{ settings: Settings; databaseVersion: string }> {
  const [row] = await sql<{ version: number; databaseVersion: string }[]>`
    select version::int, pg_current_snapshot()::text as "databaseVersion" from configuration`;
  const { version, databaseVersion } = row!;
  const copy = copies.get(sql);
  if (copy?.version === version) return { settings: copy, databaseVersion };
  const settings = await readSettings(sql);
  copies.set(sql, settings);
  return { settings, databaseVersion };
}

/** The last read settings, for answers that must not query the database. */
export function lastSettings({ sql }: Pick<Services, "sql">): Settings {
  return copies.get(sql) ?? DEFAULTS;
}

/** One statement, so that the version is that of what was read. */
export async function readSettings(sql: Sql | Tx): Promise<Settings> {
  const [row] = await sql<{ version: number; content: Record<string, unknown> | null }[]>`
    select c.version::int, s.content from configuration c left join settings s on true`;
  const { logo = null, ...content } = row!.content ?? {};
  // what came with an export was checked elsewhere, if at all
  const read = SettingsContentShape.safeParse(content);
  return { ...(read.data ?? DEFAULTS), logo: logo as Logo | null, version: row!.version };
}

export async function writeSettings(tx: Tx, { version: _, ...content }: Settings): Promise<void> {
  await tx`
    insert into settings (content) values (${tx.json(content as never)})
    on conflict (singleton) do update set content = excluded.content`;
}
