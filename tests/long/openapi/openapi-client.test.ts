/** A TypeScript client that is generated from the description of the API. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLIENT } from "../../runtimes/runtimes.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { openMuseum, quickest } from "../../support/museum/museum.ts";

const isHere = existsSync(CLIENT);
if (!isHere) notTried("a generated TypeScript client: npm run runtimes installs its generator");

const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./api";

export async function run(fetch: (request: Request) => Promise<Response>) {
  const client = createClient<paths>({
    baseUrl: "http://museum.example",
    fetch,
    querySerializer: { object: { style: "form", explode: true } },
  });
  const query = { filters: { meta_material: "canvas" }, page_size: 5 };
  const listed = await client.GET("/v1/objects", { params: { query } });
  const numbers: string[] = listed.data!.items.map(({ idno }) => idno);
  const found = await client.GET("/v1/search", { params: { query: { ...query, type: "object" } } });
  const total: number = found.data!.total;
  await client.GET("/v1/objects", { params: { query: { filters: { meta_material: 5 } } } }); // not a text
  await client.GET("/v1/objects", { params: { query: { sise: 5 } } }); // not a parameter
  return { numbers, total };
}
`;

describe.runIf(isHere)("a generated TypeScript client", () => {
  it("has types for meta_ filters, and sends them", async () => {
    const museum = await openMuseum({ database: quickest, demo: true });
    const home = await mkdtemp(join(tmpdir(), "svc-client-"));
    const run = async (program: string, ...args: string[]): Promise<string> => {
      const command = [join(CLIENT, program), ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: home }).catch(
        (error: { stdout: string }) => error,
      );
      return stdout;
    };
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    onTestFinished(() => museum.close());
    await symlink(CLIENT, join(home, "node_modules"));
    await writeFile(join(home, "package.json"), '{ "type": "module" }');
    await writeFile(join(home, "openapi.json"), await (await museum.ask("/openapi.json")).text());
    await writeFile(join(home, "program.ts"), PROGRAM);
    await run("openapi-typescript/bin/cli.js", "openapi.json", "--output", "api.d.ts");
    const options = ["--strict", "--target", "es2022", "--module", "esnext", "--lib", "es2022,dom"];
    const output = await run("typescript/bin/tsc", ...options, "--moduleResolution", "bundler", "program.ts");
    const wrong = PROGRAM.split("\n").flatMap((line, at) => (line.includes("// not a") ? [at + 1] : []));
    expect([...output.matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual(wrong);
    const requested: string[] = [];
    const { run: start } = await import(join(home, "program.js"));
    const { numbers, total } = await start((request: Request) => {
      const { pathname, search } = new URL(request.url);
      requested.push(pathname + search);
      return museum.ask(pathname + search);
    });
    expect(requested.slice(0, 2)).toEqual([
      "/v1/objects?meta_material=canvas&page_size=5",
      "/v1/search?meta_material=canvas&page_size=5&type=object",
    ]);
    expect([numbers.length, total]).toEqual([5, expect.any(Number)]);
    expect(total).toBeLessThan(91);
  }, 60_000);
});
