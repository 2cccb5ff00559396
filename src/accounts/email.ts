/**
 * The address as it is compared: one person who types it with capitals, spaces around it or full-width letters has one
 * account. Only for comparing; mail is sent to the address as it is kept, never to one that was just typed, which can
 * look the same and belong to somebody else.
 */
export function emailKey(email: string): string {
  // lower-casing can leave the normal form, so that the second normalisation is what makes the key of a key the key
  return email.normalize("NFKC").trim().toLowerCase().normalize("NFKC");
}
