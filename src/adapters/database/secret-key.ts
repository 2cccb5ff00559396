/** The key that signs access tokens when nobody has set one: made once in the database, by which all processes share it. */
import { randomBytes } from "node:crypto";
import type { Sql } from "../../services.ts";

/** 32 random bytes as 64 hexadecimal digits; of processes that ask at once, one makes them and all get the same. */
export async function sharedSecretKey(sql: Sql): Promise<string> {
  const kept = await readKey(sql);
  if (kept !== undefined) return kept;
  await sql`
    insert into instance_secret (signing_key) values (${randomBytes(32).toString("hex")}) on conflict do nothing`;
  return (await readKey(sql))!;
}

async function readKey(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ signing_key: string }[]>`select signing_key from instance_secret`;
  return row?.signing_key;
}
