/** The pyramid of a picture: finds the level for a request, and reads tiles from the file. */
import { joinBytes } from "../bytes.ts";
import type { Area, Box, Plan } from "./geometry.ts";
import type { Directory } from "./tiff.ts";

/** Pixels of a side of a tile. */
export const TILE = 512;
/** Pixels. Pictures up to this size have no pyramid, because rendering them from the original is cheap. */
export const LONGEST_WITHOUT = 1_024;

/** Lossy JPEG with shared tables, as grey or as YCbCr: what a decoder takes for such without being told. */
const JPEG = 7;
const GREY = 1;
const YCBCR = 6;

/** Levels from the largest; throws if the file is not a pyramid of this picture made by this program. */
export function demandPyramid(directories: readonly Directory[], image: Area): readonly Directory[] {
  const fits = directories.every(
    ({ width, height, tileWidth, tileHeight, compression, photometric, offsets, byteCounts }, level) =>
      width === Math.max(1, Math.floor(image.width / 2 ** level)) &&
      height === Math.max(1, Math.floor(image.height / 2 ** level)) &&
      tileWidth === TILE &&
      tileHeight === TILE &&
      compression === JPEG &&
      (photometric === GREY || photometric === YCBCR) &&
      offsets.length === Math.ceil(width / TILE) * Math.ceil(height / TILE) &&
      byteCounts.length === offsets.length,
  );
  if (!fits || directories.length === 0) throw new Error("The file is not a pyramid of this picture");
  return directories;
}

/** The smallest level with enough pixels for the request, and the region in it. */
export function levelFor(
  { region, width, height }: Plan,
  levels: readonly Area[],
): { page: number; region: Box } {
  // sizes are rounded, so that a level may miss one by a pixel
  const spare = 1.01 * Math.min(region.width / width, region.height / height);
  const page = Math.min(Math.max(0, Math.floor(Math.log2(spare))), levels.length - 1);
  const level = levels[page]!;
  const scale = 2 ** page;
  const from = (start: number, end: number) => Math.min(Math.floor(start / scale), end - 1);
  const to = (start: number, length: number, end: number) =>
    Math.min(Math.ceil((start + length) / scale), end);
  const x = from(region.x, level.width);
  const y = from(region.y, level.height);
  return {
    page,
    region: {
      x,
      y,
      width: Math.max(1, to(region.x, region.width, level.width) - x),
      height: Math.max(1, to(region.y, region.height, level.height) - y),
    },
  };
}

type TilePlace = { offset: number; bytes: number; tables: Uint8Array };

/** The position of the requested tile in the file; null if the request is not exactly a tile, so that it must be rendered. */
export function tileOf(
  { region, width, height, mirror, rotation, quality, format }: Plan,
  levels: readonly Directory[],
): TilePlace | null {
  const isPlain =
    !mirror && rotation === 0 && format === "jpg" && (quality === "default" || quality === "color");
  if (!isPlain || width !== TILE || height !== TILE) return null;
  const page = Math.log2(region.width / TILE);
  const level = levels[page];
  const onGrid = region.x % region.width === 0 && region.y % region.width === 0;
  if (level === undefined || region.height !== region.width || !onGrid) return null;
  const index = (region.y / region.width) * Math.ceil(level.width / TILE) + region.x / region.width;
  return { offset: level.offsets[index]!, bytes: level.byteCounts[index]!, tables: level.jpegTables };
}

/** A JPEG of its own: start, shared tables without their start and end, the tile without its start. */
export function tileJpeg(tile: Uint8Array, tables: Uint8Array): Uint8Array<ArrayBuffer> {
  const shared = tables.subarray(2, Math.max(2, tables.length - 2));
  return joinBytes([tile.subarray(0, 2), shared, tile.subarray(2)]);
}
