/** Pyramids among the files, by what is known of them. */
import { errorFields } from "../log.ts";
import { Recent } from "../recent.ts";
import type { Services, StoredFile } from "../services.ts";
import type { Plan } from "./geometry.ts";
import type { Picture } from "./picture.ts";
import { demandPyramid, tileJpeg, tileOf } from "./pyramid.ts";
import { type Directory, readDirectories } from "./tiff.ts";

export type Levels = { file: StoredFile; directories: readonly Directory[] };

export type Pyramids = {
  /** Null while there is none, and when it cannot be read: then the original must do. */
  levels(picture: Picture): Promise<Levels | null>;
  /** A tile as it lies in the file; null when the request is for something else. */
  tile(levels: Levels, plan: Plan): Promise<Uint8Array<ArrayBuffer> | null>;
};

/** Pictures whose directories are held: some kilobytes for each, 80 for one of a gigapixel. */
const HELD = 250;

export function createPyramids({ files, log }: Services): Pyramids {
  const known = new Recent<string, Promise<Levels | null>>(HELD);

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
      log.error("a pyramid cannot be read", { media_id: picture.id, key, ...errorFields(error) });
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
      // the pyramid was made anew, and has its tiles elsewhere
      known.set(key, Promise.resolve(null));
      return null;
    },
  };
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
  }
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
