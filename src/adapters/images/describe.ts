/** Reads the format and size of a picture from its header, and checks that it is complete. */

import type { Metadata } from "sharp";
import { type Said, said } from "../../messages/said.ts";
import type { ImageFacts } from "../../services.ts";
import { engine, READING } from "./engine.ts";
import { isCutOff } from "./whole-file.ts";

const UNREADABLE = said("fault.picture.unreadable");

const MOST_AT_ONCE = 200_000_000;
/** @param maxPixels width × height of one page */
export async function describe(
  path: string,
  maxPixels: number,
): Promise<ImageFacts | { refused: Said; unreadable?: true }> {
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
  if (format === null)
    return {
      refused: head.compression === "hevc" ? said("fault.picture.hevc") : UNREADABLE,
      unreadable: true,
    };
  if (!hasShades(head)) return { refused: said("fault.picture.values") };
  const { width, height } = head.autoOrient;
  const pixels = width * height;
  if (pixels > maxPixels)
    return { refused: said("fault.picture.too_many_pixels", { pixels, most: maxPixels }) };
  if (pixels > MOST_AT_ONCE && isDecodedAtOnce(head))
    return { refused: said("fault.picture.too_large_at_once") };
  if (await isCutOff(path, format)) return { refused: said("fault.picture.cut_off") };
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
