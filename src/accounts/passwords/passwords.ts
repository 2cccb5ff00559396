/** Normalises, checks and generates passwords. */
import { z } from "zod";
import { storable } from "../../http/text-shape.ts";
import { type Said, said } from "../../messages/said.ts";
import { isStorable } from "../../text.ts";
import { emailKey } from "../email.ts";
import { randomLetters } from "../secrets.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

/** Characters. Any characters are allowed (NIST SP 800-63B §3.1.1). */
export const SHORTEST_PASSWORD = 12;
/** In UTF-16 units, as typed. */
const LONGEST_PASSWORD = 1_024;

export const PasswordShape = storable(z.string().min(1).max(LONGEST_PASSWORD)).openapi({
  format: "password",
});
export const NewPasswordShape = PasswordShape.openapi({
  // `passwordFault` checks it on the normalised password
  minLength: SHORTEST_PASSWORD,
  description: `At least ${SHORTEST_PASSWORD} characters; not a very common password, and without the e-mail address`,
});

/** Shorter local parts of addresses occur in too many words. */
const SHORTEST_NAME = 3;

/** The normalised form for hashing, the same on every keyboard and system. */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}

/** Why a password is not acceptable for this account; null if it is. */
export function passwordFault(password: string, email: string): Said | null {
  if (!isStorable(password)) return said("fault.text.unstorable");
  if (password.length > LONGEST_PASSWORD) return said("fault.too_long", { most: LONGEST_PASSWORD });
  const normalised = normalisePassword(password);
  if ([...normalised].length < SHORTEST_PASSWORD)
    return said("fault.password.short", { least: SHORTEST_PASSWORD });
  const lower = normalised.toLowerCase();
  const key = emailKey(email);
  const name = key.slice(0, Math.max(0, key.lastIndexOf("@")));
  if (name.length >= SHORTEST_NAME && lower.includes(name)) return said("fault.password.email");
  if (/^(.{1,4}?)\1+$/su.test(lower)) return said("fault.password.repeats");
  if (COMMON_PASSWORDS.has(lower.replace(/[^\p{L}\p{N}]+/gu, ""))) return said("fault.password.common");
  return null;
}

/** The same for a password that replaces another one. */
export function newPasswordFault(
  chosen: string,
  { email, current }: { email: string; current: string },
): Said | null {
  const fault = passwordFault(chosen, email);
  if (fault) return fault;
  return normalisePassword(chosen) === normalisePassword(current) ? said("fault.password.same") : null;
}

/** A random password of 140 bits, in groups that are easy to read aloud: `k7vq-…`. */
export function randomPassword(): string {
  return randomLetters(28).replace(/.{4}(?=.)/g, "$&-");
}
