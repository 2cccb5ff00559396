/** Where tests create databases and drop them. */
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The server that tests use with these variables. */
async function chosen(variables: Record<string, string | undefined>): Promise<string> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const path = `./support/server.ts?${crypto.randomUUID()}`;
  return ((await import(path)) as { SERVER: string }).SERVER;
}

it("tests never use the server of the operator's own catalogue", async () => {
  const DATABASE_URL = "postgres://museum@catalogue.example.org/museum";
  expect(await chosen({ DATABASE_URL, TEST_DATABASE_URL: undefined })).toBe(
    "postgres://postgres@127.0.0.1:5432/postgres",
  );
  expect(await chosen({ DATABASE_URL, TEST_DATABASE_URL: "postgres://x@y/z" })).toBe("postgres://x@y/z");
});
