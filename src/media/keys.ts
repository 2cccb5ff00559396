/**
 * Where files of media lie in the store. Each key has the medium's id in it, so that a sweep knows whose a file is; and
 * originals lie in one folder by id and ending, where an image server beside this one finds `/iiif/3/<id>.<ending>`.
 */
import type { FileType } from "./type.ts";

export const ORIGINALS = "originals/";
export const PYRAMIDS = "pyramids/";
export const MEDIA_FOLDERS: readonly string[] = [ORIGINALS, PYRAMIDS];

export const keyOfOriginal = (id: string, { endings }: FileType): string => `${ORIGINALS}${id}.${endings[0]}`;

export const keyOfPyramid = (id: string): string => `${PYRAMIDS}${id}.tif`;

/** The medium that a file belongs to; null for one that is no medium's. */
export function mediumOfKey(key: string): string | null {
  return /^\w+\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/.exec(key)?.[1] ?? null;
}
