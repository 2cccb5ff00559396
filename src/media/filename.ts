/** Names of media files: what people called them, made fit for any disk and header. */
import { beginning } from "../text.ts";
import type { FileType } from "./type.ts";

const LONGEST = 200;

/**
 * The name without directories and what nobody sees, with an ending that suits the content: `photo.png` that is a JPEG is
 * `photo.jpg`. @param given anything at all
 */
export function fitFilename(given: string, { endings }: FileType): string {
  const bare = given
    .toWellFormed()
    .normalize("NFC")
    .replace(/^.*[\\/]/s, "")
    .replace(/[\p{C}\u2028\u2029]/gu, "")
    .trim();
  const [, stem = bare, ending = ""] = /^(.*)\.([^.\s]{1,10})$/.exec(bare) ?? [];
  const suits = endings.includes(ending.toLowerCase());
  // of "1998.4 verso" the end is no ending
  const name = (suits || /^[a-z][a-z0-9]{1,4}$/i.test(ending) ? stem : bare).replace(/^[.\s]+/, "");
  return `${beginning(name, LONGEST) || "file"}.${suits ? ending : endings[0]}`;
}
