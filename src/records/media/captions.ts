/** Captions of films and sounds: WebVTT files of the same object with the same name (`talk.mp4`: `talk.vtt`, `talk.de.vtt`). */
import type { Medium } from "./medium.ts";

/** `lang`: BCP 47; null if its name has none. */
export type Track = { medium: Medium; lang: string | null };

/** Language, script and region, so that the language has a name everywhere. */
const ENDING = /^(?:[._-]([a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?))?\.vtt$/i;

export function tracksOf({ filename }: Medium, media: readonly Medium[]): Track[] {
  const stem = filename.replace(/\.[^.]*$/, "").toLowerCase();
  return media.flatMap((medium) => {
    if (medium.category !== "captions" || !medium.filename.toLowerCase().startsWith(stem)) return [];
    const [isOf, lang] = ENDING.exec(medium.filename.slice(stem.length)) ?? [];
    return isOf === undefined ? [] : [{ medium, lang: lang ?? null }];
  });
}
