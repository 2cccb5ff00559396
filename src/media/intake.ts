/** Takes a file as it arrives: told by its first bytes, counted and hashed on its way to the disk, never held whole. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { tooLarge } from "../http/body.ts";
import { Problem } from "../problem.ts";
import type { Files, Services } from "../services.ts";
import { keyOfOriginal } from "./keys.ts";
import type { FileFacts } from "./medium.ts";
import { announceFile, removeFile } from "./stray.ts";
import { type FileType, TELLING_BYTES, typeOf, untaken } from "./type.ts";

export type Received = { id: string; key: string; type: FileType; bytes: number; sha256: string };
/** All that is known of it when it becomes a medium. */
export type NewFile = Received & FileFacts & { filename: string };

export type Intake = {
  /** 415 once it is known to be of no type that is kept, 413 beyond `limit`. */
  take(bytes: Uint8Array): Promise<void>;
  /** The file is whole, and safe on the disk. */
  end(): Promise<Received>;
  /**
   * Leaves nothing behind. `sure`: no row can have come of it; else the night finds out, as a commit may have happened
   * of which nobody heard.
   */
  abandon(sure: boolean): Promise<void>;
};

type Place = Pick<Services, "sql" | "files">;

/** @param id of the medium that it will be; @param limit in bytes */
export function takeIn(place: Place, id: string, limit: number): Intake {
  const hash = sha256.create();
  let head: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  let bytes = 0;
  let storing: Storing | null = null;

  const begin = async (): Promise<Storing> => {
    const type = typeOf(head);
    if (type === null) throw new Problem("unsupported_type", untaken(head));
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
      head = joined(head, chunk);
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

/** Turns what is pushed into the stream that the store of files pulls from; who writes waits for the disk. */
function store(files: Files, key: string, type: FileType): Storing {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const put = files.put(key, readable).catch((cause: unknown) => {
    throw new Problem(
      "unavailable",
      "The file cannot be kept at the moment; the log of the service says why",
      {
        cause,
      },
    );
  });
  // asked for below; until then nobody may be listening
  put.catch(() => undefined);
  writer.closed.catch(() => undefined);
  /** When the store gives up, its own reason counts. */
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

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
