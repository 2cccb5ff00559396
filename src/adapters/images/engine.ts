/** Loads sharp with the first picture, and limits the formats that it reads (https://sharp.pixelplumbing.com). */
import type { SharpOptions } from "sharp";

/** The only loaders for uploaded files. SVG is missing because an SVG file is a program. */
const LOADERS = ["Jpeg", "Png", "Tiff", "Webp", "Nsgif", "Heif"];

export type Sharp = typeof import("sharp").default;

let loaded: Promise<Sharp> | null = null;

export function engine(): Promise<Sharp> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}`) });
  // libvips would keep files open and pixels in memory
  sharp.cache(false);
  // threads for each picture; few pictures are worked on at a time
  sharp.concurrency(2);
  return sharp;
}

/** `describe` limits the number of pixels. Pictures with minor faults, such as bad metadata, are still shown. */
export const READING: SharpOptions = { limitInputPixels: false, failOn: "error" };
