/** Reads the format and size of a picture from its header, and checks that it is complete. */
import type { Metadata } from "sharp";
import type { ImageFacts } from "../../services.ts";
import { engine, READING } from "./engine.ts";
import { isCutOff } from "./whole-file.ts";

const UNREADABLE =
  "The file is broken, or not a supported picture: JPEG, PNG, TIFF, WebP, GIF and AVIF are supported";
const CUT_OFF = "The picture is incomplete: upload it again, or save it again and upload that";
const HEVC = "HEIC pictures (HEVC) are not supported: save the picture as JPEG, TIFF or AVIF";

const VALUES =
  "Pictures with 32-bit, signed or floating-point values are not supported: save them with 8 or 16 bits per channel";

const MOST_AT_ONCE = 200_000_000;
const TOO_LARGE_AT_ONCE =
  "Pictures with more than 200 million pixels must not be progressive JPEG, interlaced PNG, WebP, GIF or AVIF, or have an EXIF orientation: save it upright as TIFF, or as plain JPEG or PNG";

/** @param maxPixels width × height of one page */
export async function describe(
  path: string,
  maxPixels: number,
): Promise<ImageFacts | { refused: string; unreadable?: true }> {
  const sharp = await engine();
  let head: Metadata;
  try {
    head = await sharp(path, READING).metadata();
  } catch (error) {
    // a missing file is a bug, not a bad picture
    if (error instanceof Error && error.message.includes("missing")) throw error;
    return { refused: UNREADABLE, unreadable: true };
  }
  const format = formatOf(head);
  if (format === null) return { refused: head.compression === "hevc" ? HEVC : UNREADABLE, unreadable: true };
  if (!hasShades(head)) return { refused: VALUES };
  const { width, height } = head.autoOrient;
  const pixels = width * height;
  if (pixels > maxPixels) return { refused: tooLarge(pixels, maxPixels) };
  if (pixels > MOST_AT_ONCE && isDecodedAtOnce(head)) return { refused: TOO_LARGE_AT_ONCE };
  if (await isCutOff(path, format)) return { refused: CUT_OFF };
  const pages = head.pages ?? 1;
  return { format, width, height, pages, animated: pages > 1 && format !== "tiff" };
}

/** Whether decoding needs the whole picture in memory, several bytes for each pixel, because it cannot go line by line. */
function isDecodedAtOnce({ format, isProgressive, orientation = 1 }: Metadata): boolean {
  // orientation 2 (mirrored) can still go line by line
  return isProgressive || orientation > 2 || format === "gif" || format === "webp" || format === "heif";
}

/** Whether it is known which value is white. Otherwise a measurement from 0 to 1 would be shown as black. */
function hasShades({ depth, space }: Metadata): boolean {
  const isWhole = depth === "uchar" || depth === "ushort";
  return isWhole || space === "scrgb" || space === "lab" || space === "labs";
}

function formatOf({ format, compression }: Metadata): ImageFacts["format"] | null {
  switch (format) {
    case "jpeg":
    case "png":
    case "tiff":
    case "webp":
    case "gif":
      return format;
    case "heif":
      return compression === "av1" ? "avif" : null;
    default:
      return null;
  }
}

function tooLarge(pixels: number, most: number): string {
  const inWords = (count: number) => count.toLocaleString("en");
  return `The picture has ${inWords(pixels)} pixels, but MEDIA_MAX_PIXELS allows ${inWords(most)}: make it smaller`;
}
