/**
 * Schemathesis sends a service of its own what openapi.json allows and what it forbids, as a visitor, as a viewer and
 * as a superuser, and compares the answers with it. `schemathesis.toml` says what it leaves out.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openServices } from "../../cli/catalogue/open.ts";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { loadDemoMedia } from "../../cli/demo/media.ts";
import { readConfig } from "../../src/config/read.ts";
import { enableProjections } from "../../workers/projections.ts";
import { runtimeOfTests } from "../runtimes/runtimes.ts";
import { environment, type Settings, type Started, serve } from "../runtimes/started.ts";
import { begin } from "../support/programs/processes.ts";

const SEED = "1887";
const ADMIN = { email: "admin@example.org", password: "a lantern on the third pier" };
const VIEWER = { email: "viewer@example.org", password: "a second lantern on the pier" };

/** They end the session of the caller, or its account. */
const FAREWELLS = ["sign_out", "sign_out_everywhere", "change_own_password", "change_user", "delete_user"];

const ROLES = ["visitor", "viewer", "superuser"] as const;
export type Fuzzed = { who: (typeof ROLES)[number]; cases: number; faults: string[] };

/** @param program of Schemathesis. @param seconds for each role. @param phases of Schemathesis. */
export async function* fuzz(program: string, seconds: number, phases: string): AsyncGenerator<Fuzzed> {
  const home = await mkdtemp(join(tmpdir(), "svc-fuzz-"));
  const settings = {
    SVC_DATA_DIR: join(home, "data"),
    JWT_EXPIRES_SECONDS: "3600",
    DEFAULT_ADMIN_EMAIL: ADMIN.email,
    DEFAULT_ADMIN_PASSWORD: ADMIN.password,
    ARK_ENABLED: "true",
    ARK_NAAN: "12345",
    TRIPLESTORE_ENABLED: "true",
    SPARQL_ENDPOINT_ENABLED: "true",
    RATE_LIMIT_SPARQL: "1000000/second",
    // no source on the internet
    AUTHORITY_GND_URL: "http://127.0.0.1:1",
    AUTHORITY_GEONAMES_URL: "http://127.0.0.1:1",
    AUTHORITY_WIKIDATA_URL: "http://127.0.0.1:1",
  };
  await furnish(settings);
  const service = await serve(runtimeOfTests()[1], settings);
  try {
    const superuser = await tokenOf(service, ADMIN);
    const json = { ...VIEWER, role: "viewer" };
    const { id } = (await service.ask("/v1/users", { token: superuser, json })).json;
    const settled = { method: "PATCH", token: superuser, json: { must_change_password: false } };
    await service.ask(`/v1/users/${id}`, settled);
    const tokens = { visitor: undefined, viewer: await tokenOf(service, VIEWER), superuser };
    for (const who of ROLES) {
      const token = tokens[who];
      const seen = service.lines.length;
      const { cases, faults } = await run(program, home, service.url, { token, seconds, phases });
      faults.push(...service.lines.slice(seen).flatMap(loggedFault));
      if (token !== undefined && (await service.ask("/v1/auth/me", { token })).status !== 200)
        faults.push(`the ${who} lost the session, so that the rest of the requests was refused`);
      yield { who, cases, faults };
    }
  } finally {
    await service.kill("SIGKILL");
    await rm(home, { recursive: true, force: true });
  }
}

/** Before the service starts, which then makes the first administrator. */
async function furnish(settings: Settings): Promise<void> {
  const read = readConfig(environment(settings));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const { services, close } = await openServices(read.config);
  await enableProjections(services);
  await loadDemoMedia(services, await loadDemoMuseum(services));
  await close();
}

async function tokenOf(service: Started, json: typeof ADMIN): Promise<string> {
  return (await service.ask("/v1/auth/login", { json })).json.access_token;
}

type Run = { token: string | undefined; seconds: number; phases: string };

async function run(program: string, home: string, url: string, { token, seconds, phases }: Run) {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const report = join(home, "report.json");
  const options = {
    "--seed": SEED,
    "--phases": phases,
    "--max-time": String(seconds),
    // not two: Python 3.11 cannot parse in two threads at once, which Hypothesis does
    "--workers": "1",
    "--request-timeout": "60",
    "--warnings": "off",
    "--report": "json",
    "--report-json-path": report,
    ...(token === undefined ? {} : { "--header": `Authorization: Bearer ${token}` }),
  };
  const left = token === undefined ? [] : FAREWELLS;
  const schemathesis = begin(
    [
      program,
      ...["--config-file", file("schemathesis.toml"), "--no-color"],
      ...["run", `${url}/openapi.json`, "--continue-on-failure", "--no-shrink"],
      ...Object.entries(options).flat(),
      ...left.flatMap((id) => ["--exclude-operation-id", id]),
    ],
    { ...process.env, SCHEMATHESIS_HOOKS: file("schemathesis.py") },
    home,
  );
  const code = await schemathesis.ended;
  const found = schemathesis.lines.join("\n");
  if (code !== 0 && code !== 1) return { cases: 0, faults: [`Schemathesis ended with ${code}: ${found}`] };
  const { test_cases } = JSON.parse(await readFile(report, "utf8")) as { test_cases: { generated: number } };
  return { cases: test_cases.generated, faults: code === 0 ? [] : blocksOf(found) };
}

/** One text for each operation with errors or failures. */
function blocksOf(found: string): string[] {
  const [, faults = found] = /\n=+ (?:ERRORS|FAILURES) =+\n(.*)\n=+ SUMMARY =+\n/s.exec(found) ?? [];
  return faults
    .split(/^(?=_{3,} .+ _{3,}$)/m)
    .map((block) => block.replace(/\n\s*\n/g, "\n").trim())
    .filter((block) => block !== "");
}

/** An error, or an answer 500, in the log of the service. */
function loggedFault(line: string): string[] {
  if (!line.startsWith("{")) return [];
  const { level, status } = JSON.parse(line) as { level: string; status?: number };
  return level === "error" || status === 500 ? [`the service logged: ${line}`] : [];
}
