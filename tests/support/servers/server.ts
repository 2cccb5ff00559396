/** The PostgreSQL server on which tests create their databases. */
import postgres from "postgres";

/** Never DATABASE_URL, which may name a real catalogue. */
export const databaseServer = (): string =>
  process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** For the list of skipped tests. */
export const SERVER_MISSING = "PostgreSQL (install it, or set TEST_DATABASE_URL)";

export async function isServerThere(): Promise<boolean> {
  return onServer((sql) => sql`select 1`).then(
    () => true,
    () => false,
  );
}

export async function onServer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(databaseServer(), { max: 1, connect_timeout: 3, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** An empty database, for programs that open it themselves. */
export async function createDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `svc_scratch_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer((sql) => sql.unsafe(`create database ${name}`));
  const url = new URL(databaseServer());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer((sql) => sql.unsafe(`drop database if exists ${name} with (force)`)),
  };
}
