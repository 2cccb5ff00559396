/** The built-in image server, which uses sharp on local files. */
import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { Files, Images } from "../../services.ts";
import { diskCache } from "./cache.ts";
import { describe } from "./describe.ts";
import { engine } from "./engine.ts";
import { mediaDirectory } from "./media-root.ts";
import { makePyramid } from "./pyramid.ts";
import { render } from "./render.ts";

/** Images of up to this many pixels are made in memory, larger ones in a file. */
const SMALL = 4_000_000;

export type SharpImages = {
  mediaRoot: string;
  maxPixels: number;
  cache: { directory: string; maxBytes: number };
  files: Files;
  /** The local path of the file with this key; null if the file is elsewhere and has to be copied first. */
  pathOf(key: string): Promise<string | null>;
};

export function sharpImages({ mediaRoot, maxPixels, cache: place, files, pathOf }: SharpImages): Images {
  const directory = mediaDirectory(mediaRoot);
  const cache = diskCache(place.directory, place.maxBytes);
  /** Images that are being written to the cache. */
  const writing = new Map<string, Uint8Array<ArrayBuffer>>();
  const locally = async <T>(key: string, work: (path: string) => Promise<T>): Promise<T> => {
    const path = await pathOf(key);
    return path === null ? cache.hold(key, (copied) => copy(files, key, copied), work) : work(path);
  };

  return {
    describe: (key) => locally(key, (path) => describe(path, maxPixels)),
    async kept(name) {
      const content = writing.get(name);
      return content ? { bytes: content.length, content } : cache.read(name);
    },
    render: (name, order, signal) =>
      locally(order.key, async (path) => {
        signal.throwIfAborted();
        if (order.width * order.height <= SMALL) {
          const made = (await (await render(path, order)).toBuffer()) as Uint8Array<ArrayBuffer>;
          // not awaited, and it may fail: the cache is only a help
          writing.set(name, made);
          void cache
            .keep(name, (draft) => writeFile(draft, made))
            .catch(() => undefined)
            .then(() => writing.delete(name));
          return made;
        }
        try {
          await cache.keep(name, async (draft) => (await render(path, order)).toFile(draft));
          return null;
        } catch {
          // tries without the cache: an unreadable picture fails again, a full or broken cache directory does not matter
          signal.throwIfAborted();
          return (await (await render(path, order)).toBuffer()) as Uint8Array<ArrayBuffer>;
        }
      }),
    prepare: ({ key, width, height }, pyramidKey) =>
      locally(key, (path) => {
        if (pyramidKey === null) return makePyramid(path, null, width * height);
        return cache.draft(async (draft) => {
          const isDecoded = await makePyramid(path, draft, width * height);
          if (isDecoded)
            await files.put(
              pyramidKey,
              Readable.toWeb(createReadStream(draft)) as ReadableStream<Uint8Array>,
            );
          return isDecoded;
        });
      }),
    async ping() {
      await directory.ping();
      const sharp = await engine();
      await sharp({ create: { width: 1, height: 1, channels: 3, background: "white" } })
        .jpeg()
        .toBuffer();
    },
  };
}

async function copy(files: Files, key: string, path: string): Promise<void> {
  const found = await files.get(key);
  if (found === null) throw new Error(`There is no file ${key}`);
  await pipeline(Readable.fromWeb(found.content as NodeReadableStream<Uint8Array>), createWriteStream(path));
}
