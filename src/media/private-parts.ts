/**
 * What cameras, phones and programs write into files beside the picture: where it was taken, with which camera, by whom,
 * what it showed before it was cropped. Visitors do not get it; the file itself stays as it is.
 *
 * Nothing is decoded, and nothing moves: private bytes are covered by others of the same length that every reader skips, so
 * that ranges, sizes and all other bytes stay. What is known to belong to the picture stays (colours, orientation);
 * everything else goes. Of PDF, GIF, sound that is not MPEG-4 and models nothing is taken.
 */
import type { ByteSource } from "./byte-source.ts";
import type { PrivatePart } from "./medium.ts";
import { boxParts } from "./private-boxes.ts";
import { jpegParts } from "./private-jpeg.ts";
import { pngParts } from "./private-png.ts";
import { tiffParts } from "./private-tiff.ts";
import { webpParts } from "./private-webp.ts";

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

/** More than any camera or program writes; a file that has more is made to be a burden. */
const MOST_PARTS = 20_000;

/**
 * In the order in which they stand; none overlaps another. RangeError when the file contradicts itself.
 * @param mime of the file, by its content
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
