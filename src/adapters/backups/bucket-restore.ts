/** Media of an archive, put one after the other where media are kept. */
import type { MediaBucket } from "./media-archive.ts";

type Sending = { writer: WritableStreamDefaultWriter<Uint8Array>; put: Promise<unknown> };

export function restoreToBucket({ files, holds }: MediaBucket) {
  /** Those that were not there before. */
  let added: string[] = [];
  let sending: Sending | null = null;
  return {
    /** Whether this is for the bucket; its bytes come next. */
    async begin(key: string): Promise<boolean> {
      if (!holds(key)) return false;
      if ((await files.stat(key)) === null) added.push(key);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const put = files.put(key, readable);
      sending = { writer: writable.getWriter(), put };
      // asked for by whoever writes; until then nobody may be listening
      put.catch(() => undefined);
      sending.writer.closed.catch(() => undefined);
      return true;
    },
    write: (bytes: Uint8Array) => orWhy(sending!, sending!.writer.write(bytes)),
    /** What was begun is kept, whole; nothing when nothing was. */
    async end(): Promise<void> {
      if (sending) await orWhy(sending, sending.writer.close());
      await sending?.put;
      sending = null;
    },
    /** From now on they stay. */
    keep(): void {
      added = [];
    },
    async empty(): Promise<void> {
      await sending?.writer.abort(new Error("given up")).catch(() => undefined);
      await sending?.put.catch(() => undefined);
      sending = null;
      // why they have to go matters more than one that stays: svc-manage media-verify tells of it
      for (const key of added.splice(0)) await files.remove(key).catch(() => undefined);
    },
  };
}

/** When the place that it is sent to gives up, that one's reason counts. */
async function orWhy({ put }: Sending, step: Promise<void>): Promise<void> {
  await step.catch(async (error: unknown) => {
    await put;
    throw error;
  });
}
