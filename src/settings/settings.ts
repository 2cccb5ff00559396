/** What the installation says of itself. Kept in the database, copied in memory, and read again when its version there is another one. */
import type { Services, Sql, Tx } from "../services.ts";
import { type SettingsContent, SettingsContentShape } from "./shape.ts";

/** `file`: its name in the address, from its content. */
export type Logo = { file: string; type: string; width: number; height: number };

/** Where it is to be had. */
export const logoPath = ({ file }: Logo): string => `/logo/${file}`;

export type Settings = SettingsContent & {
  logo: Logo | null;
  /** Of the configuration by which they were read. */
  version: number;
};

/** While nobody has set anything. */
export const DEFAULTS: Settings = { ...SettingsContentShape.parse({}), logo: null, version: 0 };

const copies = new WeakMap<Sql, Settings>();

/** The settings as they stand. */
export async function settingsOf(services: Pick<Services, "sql">): Promise<Settings> {
  return (await settingsAndSign(services)).settings;
}

/**
 * The settings, and a sign of all that the database holds: the transactions that a statement sees. As long as it is the
 * same, nothing in the database has changed; what is read behind it is as new at least.
 */
export async function settingsAndSign({
  sql,
}: Pick<Services, "sql">): Promise<{ settings: Settings; sign: string }> {
  const [row] = await sql<{ version: number; sign: string }[]>`
    select version::int, pg_current_snapshot()::text as sign from configuration`;
  const { version, sign } = row!;
  const copy = copies.get(sql);
  if (copy?.version === version) return { settings: copy, sign };
  const settings = await readSettings(sql);
  copies.set(sql, settings);
  return { settings, sign };
}

/** As they were when they were last read, for answers that must not ask the database. */
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
