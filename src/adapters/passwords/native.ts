/** Argon2id computed by native code, away from the event loop: some 20 ms. */
import { hash, type Options, verify } from "@node-rs/argon2";
import type { Passwords } from "../../services.ts";
import { isOutdated, PARAMETERS } from "./parameters.ts";

const OPTIONS: Options = {
  // Argon2id; the package's enum has no value at run time
  algorithm: 2,
  memoryCost: PARAMETERS.memory,
  timeCost: PARAMETERS.passes,
  parallelism: PARAMETERS.lanes,
};

export function nativePasswords(): Passwords {
  return {
    hash: (password) => hash(password, OPTIONS),
    verify: (password, hashed) => verify(hashed, password),
    isOutdated,
  };
}
