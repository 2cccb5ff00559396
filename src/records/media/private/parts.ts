/**
 * Finds the metadata that cameras, phones and programs write into files: where and by whom a picture was taken, with
 * which camera, and what it showed before it was cropped. Visitors do not get it; the stored file keeps it.
 *
 * Nothing is decoded, and nothing moves: private bytes are replaced by bytes of the same length that every reader
 * skips, so ranges, sizes and all other bytes stay the same. Parts that are known to belong to the picture stay
 * (colours, orientation); everything else is removed. PDF, GIF, sound other than MPEG-4 and models are not changed.
 */

import type { ByteSource } from "../byte-source.ts";
import type { PrivatePart } from "../medium.ts";
import { boxParts } from "./boxes.ts";
import { jpegParts } from "./jpeg.ts";
import { pngParts } from "./png.ts";
import { tiffParts } from "./tiff.ts";
import { webpParts } from "./webp.ts";

const READERS: Readonly<Record<string, (source: ByteSource) => Promise<PrivatePart[]>>> = {
  "image/jpeg": jpegParts,
  "image/png": pngParts,
  "image/webp": webpParts,
  "image/tiff": tiffParts,
  "image/avif": boxParts,
  "video/mp4": boxParts,
  "video/quicktime": boxParts,
  "audio/mp4": boxParts,
};

/** More than any camera or program writes; a file with more is malicious. */
const MOST_PARTS = 20_000;

/**
 * Returns the parts in file order, without overlaps. Throws a RangeError if the file contradicts itself. @param mime
 * detected from the content
 */
export async function privateParts(mime: string, source: ByteSource): Promise<PrivatePart[]> {
  const parts = (await READERS[mime]?.(source)) ?? [];
  if (parts.length > MOST_PARTS) throw new RangeError("too many private parts");
  let end = 0;
  return parts
    .sort((one, other) => one.at - other.at)
    .filter(({ at, length }) => {
      // a broken file may point at one place twice: what comes first stays
      if (length <= 0 || at < end || at + length > source.bytes) return false;
      end = at + length;
      return true;
    });
}
