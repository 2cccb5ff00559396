/**
 * The normalised address, for which capitals, surrounding spaces and full-width letters do not matter. Use it only to compare:
 * mail goes to the stored address, never to a typed one, which may look the same but belong to somebody else.
 */
export function emailKey(email: string): string {
  // lower-casing may undo the normalisation, so normalise again: the key of a key is that key
  return email.normalize("NFKC").trim().toLowerCase().normalize("NFKC");
}
