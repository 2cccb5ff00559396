/** compose.yaml and docs/deployment.md name only variables that the service has, with values that it accepts. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { ROOT } from "../support/sources.ts";

const compose = await readFile(`${ROOT}compose.yaml`, "utf8");
const page = await readFile(`${ROOT}docs/deployment.md`, "utf8");
const settings = [...page.matchAll(/^```env\n([\s\S]*?)^```/gm)].map(([, text]) =>
  Object.fromEntries([...text!.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!])),
);

describe("compose.yaml", () => {
  test("uses only variables that the service has", () => {
    const asked = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((name) => !(name in VARIABLES))).toEqual([]);
  });

  test("has the profiles and images that docs/deployment.md describes, each pinned and with a memory limit", () => {
    const services = [
      ...compose.slice(compose.indexOf("\nservices:")).matchAll(/^ {2}([a-z-]+):\n((?: {4}.*\n|\n)+)/gm),
    ];
    const named = services.filter(([, , text]) => text!.includes("image:"));
    expect(named.map(([, name]) => name)).toEqual([
      ...["api", "postgres", "redis", "redis-rest", "typesense", "cantaloupe", "oxigraph"],
    ]);
    for (const [, name, text] of named) {
      expect({ name, text }).toMatchObject({ text: expect.stringMatching(/image: \S+:\d+\.\d+(\.\d+)?/) });
      expect({ name, text }).toMatchObject({ text: expect.stringMatching(/mem_limit: \d+[mg]/) });
      const profile = /profiles: \[(\w+)\]/.exec(text!)?.[1] ?? "default";
      expect([name, profile]).toEqual([
        name,
        name === "api" ? "default" : name === "oxigraph" ? "rdf" : "full",
      ]);
    }
  });

  test("gives its parts the host names of docs/deployment.md", () => {
    const hosts = settings.flatMap((each) =>
      Object.entries(each).flatMap(([name, value]) =>
        name.endsWith("_URL") && name !== "SVC_BASE_URL" ? [new URL(value).hostname] : [],
      ),
    );
    expect(hosts).toEqual(["postgres", "typesense", "redis-rest", "cantaloupe", "oxigraph"]);
    for (const host of hosts) expect(compose).toMatch(new RegExp(`^  ${host}:$`, "m"));
  });
});

test("sets up a service that accepts the variables of docs/deployment.md, part by part and together", () => {
  expect(settings).toHaveLength(3);
  for (const env of [settings[0]!, { ...settings[0], ...settings[1] }, Object.assign({}, ...settings)]) {
    const read = readConfig(env, { container: true });
    expect(read).toMatchObject({ ok: true, config: { warnings: [] } });
  }
});
