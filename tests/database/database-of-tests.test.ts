/** Where tests create databases and drop them. */
import { afterEach, expect, it, vi } from "vitest";
import { databaseServer } from "../support/servers/server.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The server that tests use with these variables. */
function chosen(variables: Record<string, string | undefined>): string {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return databaseServer();
}

it("tests never use the server of the operator's own catalogue", () => {
  const DATABASE_URL = "postgres://museum@catalogue.example.org/museum";
  expect(chosen({ DATABASE_URL, TEST_DATABASE_URL: undefined })).toBe(
    "postgres://postgres@127.0.0.1:5432/postgres",
  );
  expect(chosen({ DATABASE_URL, TEST_DATABASE_URL: "postgres://x@y/z" })).toBe("postgres://x@y/z");
});
