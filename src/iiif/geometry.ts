/** Calculates the region and the size of an image request (https://iiif.io/api/image/3.0/#41-region, #42-size). */
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { ImageRequest, RegionRequest, SizeRequest } from "./request.ts";

export type Area = { width: number; height: number };
export type Box = Area & { x: number; y: number };

/** Pixels of a side of an answer; the limit of WebP. */
const LONGEST = 16_383;
const MOST = 100_000_000;
/** Pixels up to which small pictures may be enlarged. Also the limit for images that cannot be made line by line, since they are in memory as a whole. */
const MOST_MADE = 25_000_000;

type Limits = { maxWidth: number; maxHeight: number; maxArea: number };

export function limitsOf({ width, height }: Area): Limits {
  const maxArea = Math.min(MOST, Math.max(width * height, MOST_MADE));
  return { maxWidth: LONGEST, maxHeight: LONGEST, maxArea };
}

/** `region`: whole pixels inside the image. `width`, `height`: of the scaled region, before rotation. */
export type Plan = Omit<ImageRequest, "size" | "region"> & { region: Box; width: number; height: number };

/**
 * Throws a 400 if the result would be empty or too large. `max` means the largest possible result, which is smaller
 * if a very large picture is rotated.
 */
export function plan(request: ImageRequest, image: Area): Plan {
  const { size, region: requested, ...rest } = request;
  const region = regionOf(requested, image);
  const limits = isHeldWhole(request) ? { ...limitsOf(image), maxArea: MOST_MADE } : limitsOf(image);
  const scaled = sizeOf(size, region, limits);
  if (exceeds(scaled, limits)) throw tooLarge(scaled, limits);
  if (request.rotation % 90 !== 0) {
    const turned = turnedBy(request.rotation, scaled);
    const most = { maxWidth: LONGEST, maxHeight: LONGEST, maxArea: MOST_MADE };
    if (exceeds(turned, most)) throw tooLarge(turned, most);
  }
  return { ...rest, region, ...scaled };
}

/** Rotation needs all pixels in memory, and so does this encoder. */
function isHeldWhole({ rotation, format }: ImageRequest): boolean {
  return rotation !== 0 || format === "webp";
}

function regionOf(requested: RegionRequest, image: Area): Box {
  if (requested === "full") return { x: 0, y: 0, width: image.width, height: image.height };
  if (requested === "square") {
    const side = Math.min(image.width, image.height);
    const middle = (length: number) => Math.floor((length - side) / 2);
    return { x: middle(image.width), y: middle(image.height), width: side, height: side };
  }
  const { x, y, width, height } = requested.unit === "px" ? requested : percentOf(requested, image);
  const region = {
    x,
    y,
    width: Math.min(width, image.width - x),
    height: Math.min(height, image.height - y),
  };
  if (region.width > 0 && region.height > 0) return region;
  throw new Problem(
    "malformed",
    width > 0 && height > 0
      ? said("problem.image.region_outside", sidesOf(image))
      : said("problem.image.region_too_small"),
  );
}

function percentOf(requested: Box, image: Area): Box {
  const part = (percent: number, whole: number) => Math.round((percent * whole) / 100);
  return {
    x: part(requested.x, image.width),
    y: part(requested.y, image.height),
    width: part(requested.width, image.width),
    height: part(requested.height, image.height),
  };
}

function sizeOf(size: SizeRequest, region: Area, limits: Limits): Area {
  const wanted = wantedSize(size, region, limits);
  const grows = wanted.width > region.width || wanted.height > region.height;
  if (grows && !size.upscale) {
    throw new Problem("malformed", said("problem.image.enlarged", sidesOf(region)));
  }
  return wanted;
}

function wantedSize(size: SizeRequest, region: Area, limits: Limits): Area {
  switch (size.form) {
    case "max":
      return size.upscale ? largest(region, limits) : largestUnscaled(region, limits);
    case "pct":
      return percentSize(size.percent, region);
    case "width":
      return withWidth(region, size.width);
    case "height":
      return withHeight(region, size.height);
    case "exact":
      return { width: size.width, height: size.height };
    case "confined":
      return confined(size, region, limits);
  }
}

/** The size `max`. */
export function largestUnscaled(region: Area, limits: Limits): Area {
  return exceeds(region, limits) ? largest(region, limits) : { width: region.width, height: region.height };
}

/** The size `^max`: as large as the limits allow. */
export function largest({ width, height }: Area, { maxWidth, maxHeight, maxArea }: Limits): Area {
  const factor = Math.min(maxWidth / width, maxHeight / height, Math.sqrt(maxArea / (width * height)));
  // a product may lie a hair below the whole number that it is
  const scaled = (length: number) => Math.max(1, Math.floor(length * factor + 1e-9));
  return { width: scaled(width), height: scaled(height) };
}

function percentSize(percent: number, { width, height }: Area): Area {
  const scaled = { width: Math.round((width * percent) / 100), height: Math.round((height * percent) / 100) };
  if (scaled.width === 0 && scaled.height === 0)
    throw new Problem("malformed", said("problem.image.too_small"));
  return { width: Math.max(1, scaled.width), height: Math.max(1, scaled.height) };
}

/** A line that is 15,000 pixels long stays one pixel high. */
function withWidth(region: Area, width: number): Area {
  return { width, height: Math.max(1, Math.round((region.height * width) / region.width)) };
}

function withHeight(region: Area, height: number): Area {
  return { width: Math.max(1, Math.round((region.width * height) / region.height)), height };
}

function confined(box: Area & { upscale: boolean }, region: Area, limits: Limits): Area {
  const most = box.upscale ? largest(region, limits) : largestUnscaled(region, limits);
  if (box.width >= most.width && box.height >= most.height) return most;
  const isWide = box.width * region.height <= box.height * region.width;
  return isWide ? withWidth(region, box.width) : withHeight(region, box.height);
}

export function exceeds({ width, height }: Area, { maxWidth, maxHeight, maxArea }: Limits): boolean {
  return width > maxWidth || height > maxHeight || width * height > maxArea;
}

/** The bounding box after a rotation by so many degrees. */
function turnedBy(degrees: number, { width, height }: Area): Area {
  const [sine, cosine] = [Math.sin, Math.cos].map((of) => Math.abs(of((degrees * Math.PI) / 180))) as [
    number,
    number,
  ];
  return {
    width: Math.round(width * cosine + height * sine),
    height: Math.round(width * sine + height * cosine),
  };
}

function tooLarge(area: Area, limits: Limits): Problem {
  return new Problem("malformed", said("problem.image.too_large", { ...sidesOf(area), ...limits }));
}

/** As they are written beside `×`. */
const sidesOf = ({ width, height }: Area) => ({ width: String(width), height: String(height) });
