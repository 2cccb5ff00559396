/**
 * The normalised address for comparison, so that capitals, surrounding spaces and full-width letters do not matter.
 * Only for comparison: mail goes to the stored address, never to one that was just typed, which may look the same but
 * belong to somebody else.
 */
export function emailKey(email: string): string {
  // lower-casing can leave the normal form, so that the second normalisation is what makes the key of a key the key
  return email.normalize("NFKC").trim().toLowerCase().normalize("NFKC");
}
