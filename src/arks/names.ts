/**
 * Makes, checks and parses ARKs (https://datatracker.ietf.org/doc/draft-kunze-ark/). Names use NOID's letters, which
 * form no words and are hard to confuse. The last one is a check character over NAAN and name (NCDA,
 * https://metacpan.org/dist/Noid/view/noid#NOID-CHECK-DIGIT-ALGORITHM).
 */

const LETTERS = "0123456789bcdfghjkmnpqrstvwxz";
/** The greatest lengths of ARK_NAAN and ARK_SUFFIX_LENGTH. */
const PART = new RegExp(`^[${LETTERS}]{1,64}$`);

/** The NAAN for tests, which belongs to nobody; its ARKs are never resolved (contract §7.1). */
export const TEST_NAAN = "99999";

export type ArkName = { naan: string; name: string };

/** As it is written and resolved: `ark:/12345/x54xz321`. */
export const arkText = ({ naan, name }: ArkName): string => `ark:/${naan}/${name}`;

/** Larger bytes are skipped, because they would favour the first letters. */
const UNEVEN = 256 - (256 % LETTERS.length);

/** A new name of so many characters, the last of which checks the others. */
export function newName(naan: string, length: number): string {
  let letters = "";
  while (letters.length < length - 1) {
    const even = crypto.getRandomValues(new Uint8Array(length)).filter((byte) => byte < UNEVEN);
    for (const byte of even) letters += LETTERS[byte % LETTERS.length];
  }
  letters = letters.slice(0, length - 1);
  return letters + checkCharacter(`${naan}/${letters}`);
}

/** The check character of a NAAN and a name without its last character, such as `13030/xf93gt2`. Other characters than NOID's letters count as 0. */
export function checkCharacter(text: string): string {
  const sum = [...text].reduce(
    (total, letter, at) => total + (at + 1) * Math.max(0, LETTERS.indexOf(letter)),
    0,
  );
  return LETTERS[sum % LETTERS.length]!;
}

/** Hyphens, and the dashes that word processors make of them, are ignored (§2.6). */
const HYPHENS = /[-\u00ad\u2010-\u2015]/g;

/** Parses a typed or copied ARK; null if it cannot be one of ours, for example because it is mistyped. */
export function readArk(typed: ArkName): ArkName | null {
  const naan = typed.naan.replace(HYPHENS, "").toLowerCase();
  const name = typed.name.replace(HYPHENS, "").toLowerCase();
  if (!PART.test(naan) || !PART.test(name)) return null;
  return checkCharacter(`${naan}/${name.slice(0, -1)}`) === name.at(-1) ? { naan, name } : null;
}

const LABEL = /^\/ark(?::|%3a)(?:\/|%2f)?/i;

/**
 * Normalises the path of an ARK to `/ark:/NAAN/name`. The slash after the label may be missing, characters may be
 * encoded, and a trailing slash or full stop is ignored. Other paths are returned unchanged.
 */
export function arkPath(path: string): string {
  const label = LABEL.exec(path)?.[0];
  if (label === undefined) return path;
  return `/ark:/${path
    .slice(label.length)
    .replace(/%2f/gi, "/")
    .replace(/[./]+$/, "")}`;
}
