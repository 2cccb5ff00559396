/** Makes random secrets, of which the service stores only hashes. */
import { base64url, hex, sha256 } from "../bytes.ts";

/** A random secret in base64url (RFC 4648 §5): 32 bytes are 43 letters. */
export function randomSecret(bytes = 32): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** 32 letters and digits that are not easily confused. A random byte selects each with the same probability. */
const LETTERS = "23456789abcdefghijkmnpqrstuvwxyz";

export function randomLetters(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** SHA-256, hexadecimal. Sufficient for random secrets, but never for passwords. */
export async function secretHash(secret: string): Promise<string> {
  return hex(await sha256(secret));
}
