/** Addresses of pictures at the image server (IIIF Image API 3.0), never enlarged. */
import type { Medium } from "./medium.ts";

/** A medium that the image server shows. */
export type Picture = Medium & { width: number; height: number };

// the same two conditions as in `records/visibility.ts`

export const isPicture = (medium: Medium): medium is Picture =>
  medium.category === "image" && medium.width !== null && medium.status !== "error";

export const isShown = (medium: Medium): boolean =>
  medium.category === "image" ? isPicture(medium) : medium.category !== "captions";

export type SizedImage = { address: string; width: number; height: number };

/** @param base the address of the service, without a slash at its end */
export const imageService = (base: string, id: string): string => `${base}/iiif/3/${id}`;

/** @param longest pixels of the longer side; a smaller picture stays as it is */
export function sizedImage(
  base: string,
  { id, width, height }: Pick<Picture, "id" | "width" | "height">,
  longest: number,
): SizedImage {
  const scale = Math.min(1, longest / Math.max(width, height));
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  return { ...size, address: `${imageService(base, id)}/full/${size.width},${size.height}/0/default.jpg` };
}
