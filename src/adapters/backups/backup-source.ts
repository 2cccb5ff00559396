/** Reads a file of a backup: verifies its checksum, then reads the content. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { said } from "../../messages/said.ts";
import { Refusal } from "../../refusal.ts";

const PIECE = 256 * 1024;

/** Refuses a file that does not match its checksum file. `named`: whether there is a checksum file. */
export async function demandChecksum(path: string): Promise<{ named: boolean }> {
  const beside = await readFile(`${path}.sha256`, "utf8").catch(() => null);
  if (beside === null) return { named: false };
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }))
    hash.update(piece as Uint8Array);
  if (!beside.startsWith(hash.digest("hex"))) {
    throw new Refusal(said("cli.archive.changed", { file: basename(path) }));
  }
  return { named: true };
}

/** The uncompressed content of a file. Throws a Refusal if the compression is damaged. */
export async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: PIECE });
  const plain = createGunzip({ chunkSize: PIECE });
  // errors reach the reader through the last stream
  pipeline(file, plain, () => undefined);
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("Z_")) throw error;
    throw new Refusal(said("cli.archive.damaged", { file: basename(path), reason: message }), 1, {
      cause: error,
    });
  } finally {
    file.destroy();
  }
}
