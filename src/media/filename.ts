/** Makes file names of media safe for any disk and header. */

import type { FileType } from "../records/media/type.ts";
import { beginning, normalised } from "../text.ts";

const LONGEST = 200;

/**
 * Removes directories and invisible characters from a name, and gives it an ending that matches the content: a JPEG called
 * `photo.png` becomes `photo.jpg`.
 */
export function fitFilename(written: string, { endings }: FileType): string {
  const bare = normalised(written.toWellFormed(), "NFC")
    .replace(/^.*[\\/]/s, "")
    .replace(/[\p{C}\u2028\u2029]/gu, "")
    .trim();
  const [, stem = bare, ending = ""] = /^(.*)\.([^.\s]{1,10})$/.exec(bare) ?? [];
  const suits = endings.includes(ending.toLowerCase());
  // "4 verso" in "1998.4 verso" is not an ending
  const name = (suits || /^[a-z][a-z0-9]{1,4}$/i.test(ending) ? stem : bare).replace(/^[.\s]+/, "");
  return `${beginning(name, LONGEST) || "file"}.${suits ? ending : endings[0]}`;
}
