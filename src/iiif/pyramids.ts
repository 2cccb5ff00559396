/** Opens pyramids in the file store, and caches their directories. */
import { joinBytes } from "../bytes.ts";
import { errorFields } from "../log.ts";
import { LruCache } from "../lru-cache.ts";
import type { Picture } from "../records/media/pictures.ts";
import type { Services, StoredFile } from "../services.ts";
import type { Plan } from "./geometry.ts";
import { demandPyramid, tileJpeg, tileOf } from "./pyramid.ts";
import { type Directory, readDirectories } from "./tiff.ts";

export type Levels = { file: StoredFile; directories: readonly Directory[] };

type Pyramids = {
  /** Null if there is none or it cannot be read; then the original is used. */
  levels(picture: Picture): Promise<Levels | null>;
  /** A tile from the file; null if the request is not exactly a tile. */
  tile(levels: Levels, plan: Plan): Promise<Uint8Array<ArrayBuffer> | null>;
};

/** How many directories are cached: some kilobytes each, 80 for a gigapixel picture. */
const HELD = 250;

export function createPyramids({ files, log }: Services): Pyramids {
  const known = new LruCache<string, Promise<Levels | null>>(HELD);

  async function read(key: string, picture: Picture): Promise<Levels | null> {
    try {
      let file: StoredFile | undefined;
      const directories = await readDirectories(async (first, last) => {
        const found = await files.get(key, { first, last });
        if (found === null) throw new Error(`There is no file ${key}`);
        file = found.file;
        return bytesOf(found.content);
      });
      return { file: file!, directories: demandPyramid(directories, picture) };
    } catch (error) {
      log.error("the tiles of a picture cannot be read", {
        media_id: picture.id,
        key,
        ...errorFields(error),
      });
      return null;
    }
  }

  return {
    async levels(picture) {
      const key = picture.pyramid_key;
      if (key === null) return null;
      const before = await known.get(key);
      if (before) return before;
      const reading = read(key, picture);
      known.set(key, reading);
      return reading;
    },
    async tile({ file, directories }, plan) {
      const place = tileOf(plan, directories);
      if (place === null) return null;
      const { key } = file;
      const found = await files.get(key, { first: place.offset, last: place.offset + place.bytes - 1 });
      if (found === null) return null;
      const tile = await bytesOf(found.content);
      const isSame = +file.modifiedAt === +found.file.modifiedAt && file.bytes === found.file.bytes;
      if (isSame && tile.length === place.bytes) return tileJpeg(tile, place.tables);
      // the pyramid was made again, and its tiles have moved
      known.set(key, Promise.resolve(null));
      return null;
    },
  };
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : joinBytes(chunks);
}
