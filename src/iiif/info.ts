/** The image information document (https://iiif.io/api/image/3.0/#5-image-information). */

import { rightsUri } from "../vocabularies/rights.ts";
import { type Area, exceeds, limitsOf } from "./geometry.ts";
import { TILE } from "./pyramid.ts";

export const CONTEXT = "http://iiif.io/api/image/3/context.json";
export const PROFILE = "http://iiif.io/api/image/3/level2.json";

/** @param id the address of the image up to its identifier; @param licence the address of its licence, if any */
export function infoOf(id: string, image: Area, licence: string | null): Record<string, unknown> {
  const rights = licence === null ? null : rightsUri(licence);
  const limits = limitsOf(image);
  const factors = scaleFactors(image);
  const sizes = factors.map((factor) => reduced(image, factor)).filter((size) => !exceeds(size, limits));
  return {
    "@context": CONTEXT,
    id,
    type: "ImageService3",
    protocol: "http://iiif.io/api/image",
    profile: "level2",
    width: image.width,
    height: image.height,
    ...limits,
    sizes: sizes.reverse(),
    tiles: [{ width: TILE, height: TILE, scaleFactors: factors }],
    ...(rights === null ? {} : { rights }),
    preferredFormats: ["jpg"],
    extraFormats: ["webp", "tif"],
    extraQualities: ["color", "gray", "bitonal"],
    extraFeatures: [
      "canonicalLinkHeader",
      "mirroring",
      "profileLinkHeader",
      "rotationArbitrary",
      "sizeUpscaling",
    ],
  };
}

/** 1, 2, 4 … until the image fits into one tile. */
function scaleFactors({ width, height }: Area): number[] {
  const factors = [1];
  while (Math.max(width, height) / factors.at(-1)! > TILE) factors.push(factors.at(-1)! * 2);
  return factors;
}

/** A level of a pyramid has half of the pixels of the one below it, and drops what does not make a whole one. */
function reduced({ width, height }: Area, factor: number): Area {
  return { width: Math.max(1, Math.floor(width / factor)), height: Math.max(1, Math.floor(height / factor)) };
}
