/**
 * ARKs as text: made, checked and read (https://datatracker.ietf.org/doc/draft-kunze-ark/). Names are of NOID's letters,
 * which make no words and are not taken for one another; the last one is a check character over number and name (NCDA,
 * https://metacpan.org/dist/Noid/view/noid#NOID-CHECK-DIGIT-ALGORITHM).
 */

const LETTERS = "0123456789bcdfghjkmnpqrstvwxz";
/** As long as ARK_NAAN and ARK_SUFFIX_LENGTH may be, at most. */
const PART = new RegExp(`^[${LETTERS}]{1,64}$`);

/** The number for tests, which is nobody's: what is named with it is never resolved (contract §7.1). */
export const TEST_NAAN = "99999";

export type ArkName = { naan: string; name: string };

/** As it is written and resolved: `ark:/12345/x54xz321`. */
export const arkText = ({ naan, name }: ArkName): string => `ark:/${naan}/${name}`;

/** A new name of so many characters, the last of which checks the others. */
export function newName(naan: string, length: number): string {
  const letters = Array.from({ length: length - 1 }, randomLetter).join("");
  return letters + checkCharacter(`${naan}/${letters}`);
}

/** Random bytes, fetched for many letters at once. */
const pool = new Uint8Array(1024);
let used = pool.length;
/** From here on the first letters would come more often than the last. */
const UNEVEN = 256 - (256 % LETTERS.length);

function randomLetter(): string {
  for (;;) {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const byte = pool[used++]!;
    if (byte < UNEVEN) return LETTERS[byte % LETTERS.length]!;
  }
}

/** Of a number and a name without its last character, such as `13030/xf93gt2`. What is no letter counts as 0. */
export function checkCharacter(text: string): string {
  const sum = [...text].reduce(
    (total, letter, at) => total + (at + 1) * Math.max(0, LETTERS.indexOf(letter)),
    0,
  );
  return LETTERS[sum % LETTERS.length]!;
}

/** Hyphens mean nothing, nor do what word processors make of them (§2.6). */
const HYPHENS = /[-\u00ad\u2010-\u2015]/g;

/** The ARK that somebody has typed or copied; null when it cannot be one of ours, for example because it is mistyped. */
export function readArk(typed: ArkName): ArkName | null {
  const naan = typed.naan.replace(HYPHENS, "").toLowerCase();
  const name = typed.name.replace(HYPHENS, "").toLowerCase();
  if (!PART.test(naan) || !PART.test(name)) return null;
  return checkCharacter(`${naan}/${name.slice(0, -1)}`) === name.at(-1) ? { naan, name } : null;
}

const LABEL = /^\/ark(?::|%3a)(?:\/|%2f)?/i;

/**
 * The one spelling of an ARK's path that is routed, `/ark:/NAAN/name`: the slash behind the label may be missing, signs may
 * be encoded, and a slash or full stop that a sentence has left at the end means nothing. Other paths stay as they are.
 */
export function arkPath(path: string): string {
  const label = LABEL.exec(path)?.[0];
  if (label === undefined) return path;
  return `/ark:/${path
    .slice(label.length)
    .replace(/%2f/gi, "/")
    .replace(/[./]+$/, "")}`;
}
