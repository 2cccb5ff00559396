/** What every adapter of the port `passwords` must do. */
import { describe, expect, it } from "vitest";
import type { Passwords } from "../../src/services.ts";

/** Hashes of "password" from the tests of the reference implementation of Argon2, with weaker parameters than ours. */
const FORMER = [
  "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
  "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
];

/** @param others adapters whose hashes it must read, because the database may contain them */
export function passwordsExpectations(
  name: string,
  passwords: Passwords,
  others: readonly Passwords[],
): void {
  describe(`passwords: ${name}`, () => {
    it("recognises any letters, at any length and nothing else, by a different hash each time", async () => {
      const password = "a long walk åßé 漢字 🚢".repeat(100);
      const hash = await passwords.hash(password);
      expect(await passwords.hash(password)).not.toBe(hash);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
      expect(passwords.isOutdated(hash)).toBe(false);
      expect(await passwords.verify(password, hash)).toBe(true);
      expect(await passwords.verify(`${password} `, hash)).toBe(false);
    });

    it("reads hashes made by others, and need not renew them", async () => {
      for (const other of others) {
        const hash = await other.hash("moved house");
        expect(await passwords.verify("moved house", hash)).toBe(true);
        expect(await passwords.verify("moved hause", hash)).toBe(false);
        expect(passwords.isOutdated(hash)).toBe(false);
      }
    });

    it.each(FORMER)("reads %s, which has former parameters, and wants to renew it", async (hash) => {
      expect(await passwords.verify("password", hash)).toBe(true);
      expect(await passwords.verify("Password", hash)).toBe(false);
      expect(passwords.isOutdated(hash)).toBe(true);
    });

    it.each(["", "$none$", "password", "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ"])(
      "throws for %j instead of a hash",
      (hash) => expect(passwords.verify("password", hash)).rejects.toThrow(),
    );
  });
}
