/** Receives an uploaded file as a stream. Detects its type from its first bytes, and counts and hashes it on the way. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { joinBytes } from "../bytes.ts";
import { tooLarge } from "../http/request/body.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { FileFacts } from "../records/media/medium.ts";
import { type FileType, TELLING_BYTES, typeOf, unsupportedType } from "../records/media/type.ts";
import type { Files, Services } from "../services.ts";
import { announceFile, removeFile } from "./care/orphans.ts";
import { keyOfOriginal } from "./keys.ts";

export type Received = { id: string; key: string; type: FileType; bytes: number; sha256: string };
export type NewFile = Received & FileFacts & { filename: string };

export type Intake = {
  /** Throws 415 once its type is known to be unsupported, 413 above `limit`. */
  take(bytes: Uint8Array): Promise<void>;
  /** Call it after the last bytes. Resolves when the file is safely stored. */
  end(): Promise<Received>;
  /**
   * Removes the file if it is `sure` that it has no row. Otherwise the nightly job decides, because the commit may have
   * succeeded without an answer.
   */
  abandon(sure: boolean): Promise<void>;
};

type Place = Pick<Services, "sql" | "files">;

/** @param id of the future medium @param limit in bytes */
export function takeIn(place: Place, id: string, limit: number): Intake {
  const hash = sha256.create();
  let head: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  let bytes = 0;
  let storing: Storing | null = null;

  const begin = async (): Promise<Storing> => {
    const type = typeOf(head);
    if (type === null) throw new Problem("unsupported_type", unsupportedType(head));
    const key = keyOfOriginal(id, type);
    await announceFile(place.sql, key);
    storing = store(place.files, key, type);
    await storing.write(head);
    return storing;
  };
  return {
    async take(chunk) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      hash.update(chunk);
      if (storing) return storing.write(chunk);
      head = joinBytes([head, chunk]);
      if (head.length >= TELLING_BYTES) await begin();
    },
    async end() {
      const { key, type, close } = storing ?? (await begin());
      await close();
      return { id, key, type, bytes, sha256: bytesToHex(hash.digest()) };
    },
    async abandon(sure) {
      await storing?.abandon();
      if (storing && sure) await removeFile(place, storing.key);
    },
  };
}

type Storing = {
  key: string;
  type: FileType;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abandon(): Promise<void>;
};

/** Turns pushed chunks into a stream that the file store reads. The writer waits for the store. */
function store(files: Files, key: string, type: FileType): Storing {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const put = files.put(key, readable).catch((cause: unknown) => {
    throw new Problem("unavailable", said("problem.medium.not_stored"), { cause });
  });
  // a store that gives up before it reads must not leave the writer waiting; `orWhy` throws its reason
  put.catch((error) => readable.cancel(error)).catch(() => undefined);
  writer.closed.catch(() => undefined);
  /** If a step fails because the store gave up, throws the store's reason. */
  const orWhy = async (step: Promise<void>) => {
    await step.catch(async (error) => {
      await put;
      throw error;
    });
  };
  return {
    key,
    type,
    write: (bytes) => orWhy(writer.write(bytes)),
    async close() {
      await orWhy(writer.close());
      await put;
    },
    async abandon() {
      await writer.abort(new Error("given up")).catch(() => undefined);
      await put.catch(() => undefined);
    },
  };
}
