/**
 * Files in a bucket of an S3-compatible object store (contract §8.6). Everything goes through this process: callers
 * never get an address of the store.
 */
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from "@aws-sdk/client-s3";
import type { Bucket, Files, StoredFile } from "../../services.ts";
import { demandKey, isKey } from "./key.ts";
import { bucketClient, bucketProblem, PATIENCE_MS, type S3, type Settings } from "./s3-client.ts";
import { removeAbandoned, upload } from "./s3-upload.ts";

/** Is never put. The answer to it tells of a bucket that is missing and of keys that are wrong. */
const NOBODYS = "no-file-has-this-key";

export function s3Files(bucket: S3, settings: Settings = {}): Files & Bucket {
  const client = bucketClient(bucket, settings);
  const { patienceMs = PATIENCE_MS, listedAtOnce: MaxKeys } = settings;
  const Bucket = bucket.bucket;
  const orProblem = <T>(call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw bucketProblem(bucket, error);
    });
  return {
    async put(key, content) {
      const place = { Bucket, Key: demandKey(key) };
      const source = watched(content);
      try {
        return { bytes: await upload(client, place, source.content) };
      } catch (error) {
        throw source.broke(error) ? error : bucketProblem(bucket, error);
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const call = client.send(new GetObjectCommand({ Bucket, Key: demandKey(key), Range }));
      const found = await orProblem(call.catch(noneWhenMissing));
      if (found === null) return null;
      const whole = found.ContentRange?.split("/")[1] ?? found.ContentLength;
      const file = fileOf(key, Number(whole), found.LastModified);
      const content = withPatience(found.Body as Readable, found.ContentLength ?? 0, patienceMs);
      return { file, content };
    },
    async stat(key) {
      const call = client.send(new HeadObjectCommand({ Bucket, Key: demandKey(key) }));
      const found = await orProblem(call.catch(noneWhenMissing));
      return found && fileOf(key, found.ContentLength ?? 0, found.LastModified);
    },
    async remove(key) {
      const call = client.send(new DeleteObjectCommand({ Bucket, Key: demandKey(key) }));
      await orProblem(call.catch(noneWhenMissing));
    },
    async *list(prefix) {
      // tidying must not stop what it is done beside: it may not be permitted, or not be known to this store
      await removeAbandoned(client, Bucket, prefix).catch(() => undefined);
      let ContinuationToken: string | undefined;
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys, ContinuationToken });
        const page: ListObjectsV2CommandOutput = await orProblem(client.send(command));
        for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
          if (isKey(Key)) yield fileOf(Key, Size, LastModified);
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    async ping() {
      const call = client.send(new GetObjectCommand({ Bucket, Key: NOBODYS }));
      await orProblem(call.catch(noneWhenAllowed));
    },
  };
}

const fileOf = (key: string, bytes: number, modified: Date | undefined): StoredFile => ({
  key,
  bytes,
  modifiedAt: modified ?? new Date(0),
});

/** A missing bucket is a fault, a missing object is none; the answer to HEAD has no words that tell them apart. */
function noneWhenMissing(error: Error & { $metadata?: { httpStatusCode?: number } }): null {
  if (error.name === "NoSuchKey" || error.name === "NotFound") return null;
  throw error;
}

/** Who may not list is told nothing of what is missing, and may do without that. */
function noneWhenAllowed(error: Error): null {
  return error.name === "AccessDenied" ? null : noneWhenMissing(error);
}

/** Passes the stream on, and knows its own errors from those of whoever reads it. */
function watched(content: ReadableStream<Uint8Array>) {
  const reader = content.getReader();
  const thrown = new Set<unknown>();
  return {
    broke: (error: unknown) => thrown.has(error),
    content: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const read = await reader.read().catch((error: unknown) => {
            thrown.add(error);
            throw error;
          });
          if (read.done) controller.close();
          else controller.enqueue(read.value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    ),
  };
}

/**
 * The bytes as they are read. It breaks off when the store sends nothing while somebody waits, and when it sends fewer than
 * it said: not every runtime tells of a connection that was cut. Not `Readable.toWeb`, which may end the process when a reader stops.
 */
function withPatience(body: Readable, bytes: number, patienceMs: number): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let left = bytes;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let late: ReturnType<typeof setTimeout> | undefined;
        const silent = new Promise<never>((_, reject) => {
          late = setTimeout(() => reject(new Error("The object store has stopped sending")), patienceMs);
        });
        try {
          const { done, value } = await Promise.race([pieces.next(), silent]);
          if (done && left > 0) throw new Error("The object store closed the connection too early");
          if (done) return controller.close();
          left -= value.length;
          controller.enqueue(value);
        } catch (error) {
          body.destroy();
          throw error;
        } finally {
          clearTimeout(late);
        }
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
