/** Argon2id in native code, which does not block the event loop: some 20 ms. */
import { hash, type Options, verify } from "@node-rs/argon2";
import type { Passwords } from "../../services.ts";
import { isOutdated, PARAMETERS } from "./parameters.ts";

const OPTIONS: Options = {
  // 2 is Argon2id; the package's enum does not exist at run time
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
