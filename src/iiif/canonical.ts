/** The canonical address of an image request (https://iiif.io/api/image/3.0/#48-canonical-uri-syntax). */
import { type Area, largest, largestUnscaled, limitsOf, type Plan } from "./geometry.ts";

/** Without the identifier: `full/max/0/default.jpg`. */
export function canonicalOf(plan: Plan, image: Area): string {
  const { mirror, rotation, format } = plan;
  // pictures are shown in colour unless something else is asked for
  const quality = plan.quality === "color" ? "default" : plan.quality;
  const degrees = decimal(rotation);
  return `${region(plan, image)}/${size(plan, image)}/${mirror ? "!" : ""}${degrees}/${quality}.${format}`;
}

function region({ region: { x, y, width, height } }: Plan, image: Area): string {
  const isFull = width === image.width && height === image.height;
  return isFull ? "full" : `${x},${y},${width},${height}`;
}

function size({ region, width, height }: Plan, image: Area): string {
  const isSize = (other: Area) => other.width === width && other.height === height;
  const limits = limitsOf(image);
  if (isSize(largestUnscaled(region, limits))) return "max";
  if (isSize(largest(region, limits))) return "^max";
  return `${width > region.width || height > region.height ? "^" : ""}${width},${height}`;
}

/** Never with an exponent. */
function decimal(number: number): string {
  return number.toFixed(12).replace(/\.?0+$/, "");
}
