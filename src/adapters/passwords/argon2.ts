/** Argon2id with the parameters that OWASP recommends, computed by native code away from the event loop. */
import { hash, type Options, verify } from "@node-rs/argon2";
import type { Passwords } from "../../services.ts";

const OPTIONS: Options = {
  // Argon2id; the package's enum has no value at run time
  algorithm: 2,
  /** KiB */
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** How a hash of today begins; 0x13 is the version of Argon2 that the package makes. */
const CURRENT = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}$`;

/** Hashes are PHC strings: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. Verifying uses what the hash itself says. */
export function argon2Passwords(): Passwords {
  return {
    hash: (password) => hash(password, OPTIONS),
    verify: (password, hashed) => verify(hashed, password),
    isOutdated: (hashed) => !hashed.startsWith(CURRENT),
  };
}
