/**
 * Makes the pyramid of a picture: a tiled TIFF with all its sizes, JPEG inside. Tiles are later delivered as they are in
 * the file, without decoding; `Files.get` reads their range from a disk or a bucket.
 */
import type { Sharp as Image } from "sharp";
import { engine, READING } from "./engine.ts";

/** A classic TIFF ends at 4 GB, which so many pixels never reach. */
const MOST_CLASSIC = 1_000_000_000;

/**
 * Decodes the whole picture, and with `to` writes the pyramid there. Answers whether the picture can be decoded; throws
 * what else went wrong.
 */
export async function makePyramid(path: string, to: string | null, pixels: number): Promise<boolean> {
  const sharp = await engine();
  const source = (): Image => sharp(path, { ...READING, sequentialRead: true });
  const decoded = () =>
    source()
      .stats()
      .then(() => true, falseUnlessMissing);
  if (to === null) return decoded();
  try {
    await source()
      .autoOrient()
      .flatten({ background: "#fff" })
      .toColourspace("srgb")
      .tiff({
        ...{ tile: true, pyramid: true, tileWidth: 512, tileHeight: 512 },
        ...{ compression: "jpeg", quality: 88, bigtiff: pixels > MOST_CLASSIC },
      })
      .toFile(to);
    return true;
  } catch (error) {
    if (await decoded()) throw error;
    return false;
  }
}

/** sharp has no codes: of a file that is not there it says so. */
function falseUnlessMissing(error: unknown): false {
  if (error instanceof Error && error.message.includes("missing")) throw error;
  return false;
}
