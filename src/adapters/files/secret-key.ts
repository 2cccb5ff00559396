/** The key that signs access tokens in local development. It is created once, in a file beside the data. */

import { randomBytes, randomUUID } from "node:crypto";
import { link, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { said } from "../../messages/said.ts";
import { Refusal } from "../../refusal.ts";
import { demandDirectory } from "../directories.ts";
import { writeDurably } from "../durable-files.ts";

const KEY = /^[0-9a-f]{64}$/i;

/**
 * 32 random bytes as 64 hexadecimal digits, the same ones at every start.
 *
 * @param path `config.secretKeyPath`
 */
export async function keepSecretKey(path: string): Promise<string> {
  await demandDirectory("SVC_DATA_DIR", dirname(path));
  return (await makeKey(path)) ?? (await readKey(path));
}

/**
 * Null if the file exists: of two processes that start together, one creates the key and both use it. The file gets its name
 * when it is complete, so that a killed process never leaves a file with which the service cannot start.
 */
async function makeKey(path: string): Promise<string | null> {
  const draft = `${path}.${randomUUID()}`;
  const key = randomBytes(32).toString("hex");
  try {
    await writeDurably(draft, `${key}\n`);
    await link(draft, path);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKey(path: string): Promise<string> {
  const text = (await readFile(path, "utf8")).trim();
  if (KEY.test(text)) return text;
  throw new Refusal(said("cli.secret_key.damaged", { path }));
}
