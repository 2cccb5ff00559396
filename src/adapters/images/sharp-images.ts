/** The built-in image server: sharp, on files of this machine. */
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

/** Pixels of what is made in the memory. */
const SMALL = 4_000_000;

export type SharpImages = {
  mediaRoot: string;
  maxPixels: number;
  cache: { directory: string; maxBytes: number };
  files: Files;
  /** Where the file with this key lies on this machine; null when it lies elsewhere, so that a copy is made. */
  pathOf(key: string): Promise<string | null>;
};

export function sharpImages({ mediaRoot, maxPixels, cache: place, files, pathOf }: SharpImages): Images {
  const directory = mediaDirectory(mediaRoot);
  const cache = diskCache(place.directory, place.maxBytes);
  /** What is on its way into the cache. */
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
          // nobody waits for that, and nobody misses it
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
          // the picture is at fault, which then shows once more, or the directory, which is nobody's concern who waits
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
