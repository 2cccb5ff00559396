/** The description of the API, checked by Redocly and Spectral with their own rules. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { LINTERS } from "../../runtimes/runtimes.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { openMuseum, quickest } from "../../support/museum/museum.ts";

const isHere = existsSync(LINTERS);
if (!isHere) notTried("Redocly and Spectral: npm run runtimes installs them");

describe.runIf(isHere)("the description of the API", () => {
  it("passes Redocly and Spectral without a remark", async () => {
    const museum = await openMuseum({ database: quickest, env: { SPARQL_ENDPOINT_ENABLED: "true" } });
    const home = await mkdtemp(join(tmpdir(), "svc-linted-"));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    onTestFinished(() => museum.close());
    const file = (name: string, text: string) => writeFile(join(home, name), text);
    await file("openapi.json", await (await museum.ask("/openapi.json")).text());
    await file("redocly.yaml", "extends: [recommended]\n");
    await file("spectral.yaml", 'extends: ["spectral:oas"]\n');
    const run = async (program: string, ...args: string[]): Promise<unknown> => {
      const options = {
        cwd: home,
        maxBuffer: 50_000_000,
        // neither contacts its maker
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      };
      const ended = await promisify(execFile)(
        process.execPath,
        [join(LINTERS, program), "lint", ...args],
        options,
      ).catch((error: { stdout: string }) => error);
      return JSON.parse(ended.stdout);
    };
    const redocly = "@redocly/cli/bin/cli.js";
    const report = await run(redocly, "openapi.json", "--config=redocly.yaml", "--format=json");
    expect((report as { problems: unknown[] }).problems).toEqual([]);
    const spectral = "@stoplight/spectral-cli/dist/index.js";
    expect(
      await run(spectral, "openapi.json", "--ruleset=spectral.yaml", "--format=json", "--quiet"),
    ).toEqual([]);
  }, 120_000);
});
