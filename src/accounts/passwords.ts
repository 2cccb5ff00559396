/** Passwords as text: how they are compared, which are taken, how one is made up. */
import { isStorable } from "../text.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { emailKey } from "./email.ts";

/** In characters; there are no rules about which ones (NIST SP 800-63B §3.1.1). */
export const SHORTEST_PASSWORD = 12;
/** In UTF-16 units, as typed. */
export const LONGEST_PASSWORD = 1_024;

/** Local parts shorter than this are found in too many words. */
const SHORTEST_NAME = 3;

/** The form that is hashed: the same password typed on another keyboard or system gives the same one. */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}

/** What is wrong with a password that somebody chose for this account; null when nothing is. */
export function passwordFault(password: string, email: string): string | null {
  if (!isStorable(password)) return "contains a NUL or half of a surrogate pair";
  if (password.length > LONGEST_PASSWORD) return `is longer than ${LONGEST_PASSWORD} characters`;
  const normalised = normalisePassword(password);
  if ([...normalised].length < SHORTEST_PASSWORD) return `is shorter than ${SHORTEST_PASSWORD} characters`;
  const lower = normalised.toLowerCase();
  const key = emailKey(email);
  const name = key.slice(0, Math.max(0, key.lastIndexOf("@")));
  if (name.length >= SHORTEST_NAME && lower.includes(name)) {
    return "contains the first part of the e-mail address";
  }
  if (/^(.{1,4}?)\1+$/su.test(lower)) return "only repeats a few characters";
  if (COMMON_PASSWORDS.has(lower.replace(/[^\p{L}\p{N}]+/gu, "")))
    return "is one of those that are tried first";
  return null;
}

/** 32 letters and digits of which no two are easily taken for each other. */
const READABLE = "23456789abcdefghijkmnpqrstuvwxyz";

/** A random password of 140 bits, in groups that can be read out: `k7vq-…`. */
export function randomPassword(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(28)), (byte) => READABLE[byte % 32]!);
  return letters.join("").replace(/.{4}(?=.)/g, "$&-");
}
