/**
 * The keys of media files in the store. Each contains the id of its medium. Originals are in one folder, where an external image
 * server finds `/iiif/3/<id>.<ending>`.
 */
import { UUID_PATTERN } from "../ids.ts";
import type { FileType } from "../records/media/type.ts";

const ORIGINALS = "originals/";
const PYRAMIDS = "pyramids/";
export const MEDIA_FOLDERS: readonly string[] = [ORIGINALS, PYRAMIDS];

/** The folder of files that `media-verify --delete` removed. Backups leave it out. */
export const TRASH = "trash/";

export const keyOfOriginal = (id: string, { endings }: FileType): string => `${ORIGINALS}${id}.${endings[0]}`;

export const keyOfPyramid = (id: string): string => `${PYRAMIDS}${id}.tif`;

const MEDIUM = new RegExp(`^(?:${ORIGINALS}|${PYRAMIDS})(${UUID_PATTERN})\\.\\w+$`);

/** The id of the medium of a file; null for other files. */
export function mediumOfKey(key: string): string | null {
  return MEDIUM.exec(key)?.[1] ?? null;
}
