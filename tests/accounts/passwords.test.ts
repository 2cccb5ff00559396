/** Both ways to hash passwords: what the port requires, and which of the two a service uses. */
import { expect, it } from "vitest";
import { availablePasswords } from "../../src/adapters/passwords/available.ts";
import { nativePasswords } from "../../src/adapters/passwords/native.ts";
import { portablePasswords } from "../../src/adapters/passwords/portable.ts";
import { passwordsExpectations } from "../ports/passwords.ts";

passwordsExpectations("native code", nativePasswords(), [portablePasswords()]);
passwordsExpectations("JavaScript", portablePasswords(), [nativePasswords()]);

it("passwords are hashed by native code where it can be loaded, without a log line", async () => {
  const sentences: string[] = [];
  await availablePasswords((sentence) => sentences.push(sentence));
  expect(sentences).toEqual([]);
});

it("passwords are hashed in JavaScript otherwise, while other requests are answered, and a log line gives the reason", async () => {
  const sentences: string[] = [];
  const passwords = await availablePasswords(
    (sentence) => sentences.push(sentence),
    () => Promise.reject(new Error("Cannot find native binding.\n    at somewhere")),
  );
  expect(sentences).toEqual([
    "passwords are hashed in JavaScript, which takes longer: the native code cannot be loaded (Cannot find native binding.)",
  ]);
  let answered = 0;
  const timer = setInterval(() => {
    answered += 1;
  }, 1);
  const hash = await passwords.hash("aboard");
  clearInterval(timer);
  expect(await nativePasswords().verify("aboard", hash)).toBe(true);
  expect(answered).toBeGreaterThan(3);
});
