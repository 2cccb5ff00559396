/**
 * Makes the pyramid of a picture: a TIFF with the picture in several sizes, cut into JPEG tiles. Tiles are delivered as they
 * are in the file, without decoding. `Files.get` reads their bytes from a disk or a bucket.
 */
import type { Sharp as Image } from "sharp";
import { engine, READING } from "./engine.ts";

/** Up to this many pixels, the file is always smaller than 4 GB, the limit of classic TIFF. */
const MOST_CLASSIC = 1_000_000_000;

/**
 * Decodes the whole picture and, with `to`, writes the pyramid there. Returns whether the picture can be decoded; throws any
 * other error.
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

/** sharp's errors have no codes; only the message tells that a file is missing. */
function falseUnlessMissing(error: unknown): false {
  if (error instanceof Error && error.message.includes("missing")) throw error;
  return false;
}
