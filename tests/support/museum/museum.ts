/** A complete service in this process, with a migrated database and `app.request`. Most tests use it. */
import { cpSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, inject, it } from "vitest";
import { loadDemoMuseum } from "../../../cli/demo/load.ts";
import { loadDemoMedia } from "../../../cli/demo/media.ts";
import { createApp } from "../../../src/app.ts";
import { compose } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config/read.ts";
import type { Api } from "../../../src/http/endpoint.ts";
import { createLog } from "../../../src/log.ts";
import type { Services } from "../../../src/services.ts";
import { enableProjections } from "../../../workers/projections.ts";
import { GENEROUS_LIMITS } from "../generous-limits.ts";
import { oneOrAll } from "../lane/lane.ts";
import { FEW_BUFFERS } from "../programs/few-buffers.ts";
import { readMarked } from "./marked.ts";
import { newAccount, signedIn } from "./signed-in.ts";

export type DatabaseKind = "embedded" | "external";

/** For tests that do not depend on the database: the one that starts fastest. */
export const quickest: DatabaseKind = inject("external") ? "external" : "embedded";

/**
 * The databases that this machine has, or one of them in the short lane; missing ones are listed at the end of the
 * run.
 */
export const databases: DatabaseKind[] = oneOrAll([...new Set(["embedded", quickest] as const)]);

/** `it` for such a test inside `describe.each(databases)`: it runs for only one of them. */
export const onceFor = (
  database: DatabaseKind,
): ((name: string, test: () => Promise<void>, timeout?: number) => void) =>
  database === quickest ? it : () => undefined;

export type Role = "superuser" | "admin" | "editor" | "cataloger" | "viewer";
export type Ask = (
  path: string,
  init?: RequestInit & { json?: unknown; ndjson?: readonly unknown[]; remote?: string },
) => Promise<Response>;

export type Museum = {
  services: Services;
  api: Api;
  dataDir: string;
  /** Everything that was logged. */
  log: string[];
  /** Asks as a visitor; each time from another address, unless `remote` gives one. */
  ask: Ask;
  /** Asks as somebody with this role. */
  as(role: Role): Promise<Ask>;
  /** Ids of the demo museum by key; empty without it. */
  demo: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

/** No server listens there: tests never use the internet, and a refused connection is like a source that is down. */
const NO_AUTHORITIES = {
  AUTHORITY_GND_URL: "http://127.0.0.1:1",
  AUTHORITY_GEONAMES_URL: "http://127.0.0.1:1",
  AUTHORITY_WIKIDATA_URL: "http://127.0.0.1:1",
};

/** `database`: by default the quickest. */
type Opening = { database?: DatabaseKind; demo?: boolean | "with media"; env?: Record<string, string> };

/** One for all tests of a file or of a `describe`, outside of hooks and tests: it is closed after the last of them. */
export async function museumHere(options?: Opening): Promise<Museum> {
  const museum = await openMuseum(options);
  afterAll(() => museum.close());
  return museum;
}

export async function openMuseum(options: Opening = {}): Promise<Museum> {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-museum-"));
  const external = (options.database ?? quickest) === "external" ? await copyExternal() : null;
  // a thousand files, for which an asynchronous copy takes ten times as long
  if (!external) cpSync(inject("embeddedTemplate"), dataDir, { recursive: true });
  const read = readConfig({
    SVC_DATA_DIR: dataDir,
    DEFAULT_ADMIN_EMAIL: "admin@example.org",
    ...GENEROUS_LIMITS,
    ...NO_AUTHORITIES,
    ...FEW_BUFFERS,
    ...(external ? { DATABASE_URL: external.url } : {}),
    ...options.env,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const log: string[] = [];
  const { services, close } = await compose(
    read.config,
    "owner",
    createLog({ level: "debug", format: "json", write: (line) => log.push(line) }),
  );
  await enableProjections(services);
  const api = createApp(services);
  const demo = options.demo
    ? await loadDemoMuseum(services, undefined, readMarked)
    : new Map<string, string>();
  if (options.demo === "with media") await loadDemoMedia(services, demo, undefined, readMarked);
  return {
    services,
    api,
    dataDir,
    log,
    demo,
    ask: asking(api),
    async as(role) {
      const email = `${role}-${crypto.randomUUID().slice(0, 8)}@example.org`;
      const id = await newAccount(services.sql, email, { displayName: role, role });
      const token = await signedIn(services, { id, token_version: 1 });
      return asking(api, { Authorization: `Bearer ${token}` });
    },
    async close() {
      await close();
      await external?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function asking(api: Api, headers: Record<string, string> = {}): Ask {
  return async (path, { json, ndjson, remote = nextAddress(), ...init } = {}) => {
    const body = ndjson?.map((line) => JSON.stringify(line)).join("\n") ?? JSON.stringify(json);
    const request = {
      ...init,
      ...(body === undefined ? {} : { method: init.method ?? "POST", body }),
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "Content-Type": `application/${ndjson ? "x-ndjson" : "json"}` }),
        ...(init.headers as Record<string, string> | undefined),
      },
    };
    return api.app.request(path, request, { remote });
  };
}

let addresses = 0;

/** A new address from those reserved for benchmarks and tests (RFC 2544). */
function nextAddress(): string {
  addresses++;
  return `198.${18 + ((addresses >> 16) & 1)}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** A migrated external database. */
export async function copyExternal(): Promise<{ url: string; drop(): Promise<void> }> {
  const { server, template, copying } = inject("external")!;
  const name = `svc_test_${crypto.randomUUID().replaceAll("-", "")}`;
  const run = async (...statements: string[]) => {
    const sql = postgres(server, { max: 1, onnotice: () => undefined });
    try {
      // copies of the same template wait for each other
      await sql`select pg_advisory_lock(7462)`;
      for (const statement of statements) await sql.unsafe(statement);
    } finally {
      await sql.end();
    }
  };
  await run(
    `create database ${name} template ${template} ${copying}`,
    // no test cuts the power, and writing to disk takes most of the time of a short transaction
    `alter database ${name} set synchronous_commit = off`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
