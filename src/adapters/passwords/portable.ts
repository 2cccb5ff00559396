/**
 * Argon2id in JavaScript, for runtimes that allow neither native code nor WebAssembly made at run time. It takes some 250 ms, in
 * steps of 10 ms, so that other requests are answered in between.
 */
import { argon2idAsync } from "@noble/hashes/argon2.js";
import type { Passwords } from "../../services.ts";
import { isOutdated, PARAMETERS, phcOf } from "./parameters.ts";

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, both in Base64 without padding. */
const PHC = /^\$argon2id\$v=(\d+)\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export function portablePasswords(): Passwords {
  return {
    async hash(password) {
      const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
      const { memory, passes, lanes } = PARAMETERS;
      const options = { m: memory, t: passes, p: lanes, dkLen: HASH_BYTES };
      return phcOf(base64(salt), base64(await argon2idAsync(password, salt, options)));
    },
    async verify(password, hashed) {
      const [, version, m, t, p, salt, expected] = PHC.exec(hashed) ?? [];
      if (expected === undefined) throw new Error("This is not a hash of a password by Argon2id");
      const wanted = bytes(expected);
      const options = { version: Number(version), m: Number(m), t: Number(t), p: Number(p) };
      return same(await argon2idAsync(password, bytes(salt!), { ...options, dkLen: wanted.length }), wanted);
    },
    isOutdated,
  };
}

const base64 = (raw: Uint8Array): string => btoa(String.fromCharCode(...raw)).replace(/=+$/, "");
const bytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Compares in constant time. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (const [at, byte] of a.entries()) difference |= byte ^ (b[at] ?? 0);
  return difference === 0;
}
