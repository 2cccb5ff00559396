/** The key that signs access tokens in local development: made once, kept beside the data. */
import { randomBytes } from "node:crypto";
import { open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../../refusal.ts";
import { demandDirectory } from "../directories.ts";

const KEY = /^[0-9a-f]{64}$/i;
/** How long another start may take between making the file and filling it. */
const PATIENCE_MS = 1_000;

/**
 * 32 random bytes as 64 hexadecimal digits, the same ones at every start.
 *
 * @param path `config.secretKeyPath`
 */
export async function keepSecretKey(path: string): Promise<string> {
  await demandDirectory("SVC_DATA_DIR", dirname(path));
  return (await makeKey(path)) ?? (await readKey(path));
}

/** Null when the file is there already: of two starts at once one makes the key and both use it. */
async function makeKey(path: string): Promise<string | null> {
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const key = randomBytes(32).toString("hex");
    await file.writeFile(`${key}\n`);
    // without this a power failure could leave an empty file, and a service that does not start
    await file.sync();
    return key;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function readKey(path: string): Promise<string> {
  const patientUntil = Date.now() + PATIENCE_MS;
  for (;;) {
    const text = (await readFile(path, "utf8")).trim();
    if (KEY.test(text)) return text;
    if (text.length >= 64 || Date.now() > patientUntil) break;
    await wait(20);
  }
  throw new Refusal(
    `${path} does not hold a secret key, which is 64 hexadecimal digits. Put the right one back, or remove the file: ` +
      "a new key is made at the next start, and everybody has to sign in again",
  );
}
