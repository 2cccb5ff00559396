/** Both ways to hash passwords: the expectations of the port, and which of them a service takes. */
import { expect, it } from "vitest";
import { availablePasswords } from "../src/adapters/passwords/available.ts";
import { nativePasswords } from "../src/adapters/passwords/native.ts";
import { portablePasswords } from "../src/adapters/passwords/portable.ts";
import { passwordsExpectations } from "./ports/passwords.ts";

passwordsExpectations("native code", nativePasswords(), [portablePasswords()]);
passwordsExpectations("JavaScript", portablePasswords(), [nativePasswords()]);

it("the native code is taken where it can be loaded, and nothing is said of it", async () => {
  const said: string[] = [];
  await availablePasswords((sentence) => said.push(sentence));
  expect(said).toEqual([]);
});

it("without it passwords are hashed in JavaScript, and a sentence says why", async () => {
  const said: string[] = [];
  const passwords = await availablePasswords(
    (sentence) => said.push(sentence),
    () => Promise.reject(new Error("Cannot find native binding.\n    at somewhere")),
  );
  expect(said).toEqual([
    "passwords are hashed in JavaScript, which takes longer: the native code cannot be loaded (Cannot find native binding.)",
  ]);
  expect(await nativePasswords().verify("aboard", await passwords.hash("aboard"))).toBe(true);
});

it("others are answered while passwords are hashed in JavaScript", async () => {
  let answered = 0;
  const timer = setInterval(() => {
    answered += 1;
  }, 1);
  await portablePasswords().hash("aboard");
  clearInterval(timer);
  expect(answered).toBeGreaterThan(3);
});
