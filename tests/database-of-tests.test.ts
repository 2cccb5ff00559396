/** Where tests make databases and drop them. */
import { expect, it } from "vitest";
import { serverOf } from "./support/server.ts";

it("tests never use the server of the operator's own catalogue", () => {
  const DATABASE_URL = "postgres://museum@catalogue.example.org/museum";
  expect(serverOf({ DATABASE_URL })).toBe("postgres://postgres@127.0.0.1:5432/postgres");
  expect(serverOf({ DATABASE_URL, TEST_DATABASE_URL: "postgres://x@y/z" })).toBe("postgres://x@y/z");
});
