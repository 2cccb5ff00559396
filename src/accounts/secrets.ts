/** Random secrets of which the service stores only hashes. */

/** A random secret in base64url (RFC 4648 §5): 32 bytes are 43 letters. */
export function randomSecret(bytes = 32): string {
  const letters = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** SHA-256, hexadecimal. Sufficient for fully random secrets; never for passwords. */
export async function secretHash(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
