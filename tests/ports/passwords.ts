/** What every adapter of the port `passwords` must do. */
import { describe, expect, it } from "vitest";
import type { Passwords } from "../../src/services.ts";

/** Of "password", from the tests of the reference implementation of Argon2: weaker than ours. */
const FORMER = [
  "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
  "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
];

/** @param others adapters whose hashes it must read, since they may lie in the database */
export function passwordsExpectations(
  name: string,
  passwords: Passwords,
  others: readonly Passwords[],
): void {
  describe(`passwords: ${name}`, () => {
    it.each([
      ["plain words", "a long walk by the harbour"],
      ["any letters, at any length", "åßé 漢字 🚢".repeat(100)],
    ])("knows %s again, and nothing else", async (_what, password) => {
      const hash = await passwords.hash(password);
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
      expect(passwords.isOutdated(hash)).toBe(false);
      expect(await passwords.verify(password, hash)).toBe(true);
      expect(await passwords.verify(`${password} `, hash)).toBe(false);
    });

    it("makes another hash of the same password each time", async () => {
      expect(await passwords.hash("the same")).not.toBe(await passwords.hash("the same"));
    });

    it("reads the hashes that others made, and has nothing to renew in them", async () => {
      for (const other of others) {
        const hash = await other.hash("moved house");
        expect(await passwords.verify("moved house", hash)).toBe(true);
        expect(await passwords.verify("moved hause", hash)).toBe(false);
        expect(passwords.isOutdated(hash)).toBe(false);
      }
    });

    it.each(FORMER)("reads %s, of former parameters, and wants it renewed", async (hash) => {
      expect(await passwords.verify("password", hash)).toBe(true);
      expect(await passwords.verify("Password", hash)).toBe(false);
      expect(passwords.isOutdated(hash)).toBe(true);
    });

    it.each(["", "$none$", "password", "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ"])(
      "throws when it is given %j instead of a hash",
      (hash) => expect(passwords.verify("password", hash)).rejects.toThrow(),
    );
  });
}
