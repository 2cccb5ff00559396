/** sharp, loaded when the first picture comes, and told what it may read (https://sharp.pixelplumbing.com). */
import type { SharpOptions } from "sharp";

/** The only ones that read what people bring: no SVG, which is a program. */
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
  // libvips would keep open files and pixels of what was asked for last
  sharp.cache(false);
  // two pictures are made at once: each with the threads of a small machine
  sharp.concurrency(2);
  return sharp;
}

/** Pixels are counted by `describe`. What only has a fault in its head is shown nevertheless. */
export const READING: SharpOptions = { limitInputPixels: false, failOn: "error" };
