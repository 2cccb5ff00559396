/**
 * Files in a bucket of an S3-compatible object store (contract §8.6). Readers get the bytes from the service, never an
 * address of the store.
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
import {
  bucketClient,
  bucketProblem,
  PATIENCE_MS,
  type Permission,
  type S3,
  type Settings,
} from "./s3-client.ts";
import { removeAbandoned, upload } from "./s3-upload.ts";

/** A key that never exists. Asking for it shows whether the bucket exists and the credentials are right. */
const PROBE_KEY = "no-file-has-this-key";

export function s3Files(bucket: S3, settings: Settings = {}): Files & Bucket {
  const client = bucketClient(bucket, settings);
  const { patienceMs = PATIENCE_MS, listedAtOnce: MaxKeys } = settings;
  const Bucket = bucket.bucket;
  const orProblem = <T>(permission: Permission, call: Promise<T>): Promise<T> =>
    call.catch((error: unknown) => {
      throw bucketProblem(bucket, permission, error);
    });
  return {
    async put(key, content) {
      const place = { Bucket, Key: demandKey(key) };
      const source = watched(content);
      try {
        return { bytes: await upload(client, place, source.content) };
      } catch (error) {
        throw source.broke(error) ? error : bucketProblem(bucket, "put", error);
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const call = client.send(new GetObjectCommand({ Bucket, Key: demandKey(key), Range }));
      const found = await orProblem("get", call.catch(noneWhenMissing));
      if (found === null) return null;
      const whole = found.ContentRange?.split("/")[1] ?? found.ContentLength;
      const file = fileOf(key, Number(whole), found.LastModified);
      const content = withPatience(found.Body as Readable, found.ContentLength ?? 0, patienceMs);
      return { file, content };
    },
    async stat(key) {
      const call = client.send(new HeadObjectCommand({ Bucket, Key: demandKey(key) }));
      const found = await orProblem("get", call.catch(noneWhenMissing));
      return found && fileOf(key, found.ContentLength ?? 0, found.LastModified);
    },
    async remove(key) {
      const call = client.send(new DeleteObjectCommand({ Bucket, Key: demandKey(key) }));
      await orProblem("delete", call.catch(noneWhenMissing));
    },
    async *list(prefix) {
      // a failure here is ignored: the store may not permit or support this
      await removeAbandoned(client, Bucket, prefix).catch(() => undefined);
      let ContinuationToken: string | undefined;
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys, ContinuationToken });
        const page: ListObjectsV2CommandOutput = await orProblem("list", client.send(command));
        for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
          if (isKey(Key)) yield fileOf(Key, Size, LastModified);
        }
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    async ping() {
      const call = client.send(new GetObjectCommand({ Bucket, Key: PROBE_KEY }));
      await orProblem("get", call.catch(noneWhenAllowed));
    },
  };
}

const fileOf = (key: string, bytes: number, modified: Date | undefined): StoredFile => ({
  key,
  bytes,
  modifiedAt: modified ?? new Date(0),
});

/** Null for a missing object, but a missing bucket is an error. The answer to HEAD does not tell which one is missing. */
function noneWhenMissing(error: Error & { $metadata?: { httpStatusCode?: number } }): null {
  if (error.name === "NoSuchKey" || error.name === "NotFound") return null;
  throw error;
}

/** Without permission to list, a store answers AccessDenied for a missing key, which is fine. */
function noneWhenAllowed(error: Error): null {
  return error.name === "AccessDenied" ? null : noneWhenMissing(error);
}

/** Passes the stream on. `broke` tells whether an error came from the stream rather than from its reader. */
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
 * The bytes of an object. Fails if the store sends nothing while a reader waits, or fewer bytes than announced: not every
 * runtime reports a cut connection. (`Readable.toWeb` may end the process when a reader stops.)
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
