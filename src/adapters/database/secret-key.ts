/** The key that signs access tokens if SECRET_KEY is not set. It is stored in the database, so all processes share it. */
import { randomBytes } from "node:crypto";
import type { Sql } from "../../services.ts";

/** 32 random bytes as 64 hexadecimal digits. If several processes ask at the same time, all get the same key. */
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
