/**
 * A real harvester (HTTP::OAI of Perl) reads everything from a service while records are written. HARVEST_RECORDS is their
 * number; with 59031, they are the photographs of a real museum, if those are beside the checkout.
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimeName } from "../../../src/runtimes/serve.ts";
import { records } from "../../bench/ground.ts";
import { environment, type Started, started } from "../../runtimes/started.ts";
import { notTried } from "../../support/lane/skipped.ts";
import { lookInto } from "../../support/programs/copied.ts";
import { ROOT } from "../../support/sources.ts";

const isHere = spawnSync("perl", ["-MHTTP::OAI", "-e", "1"]).status === 0;
if (!isHere) notTried("a harvest by HTTP::OAI: there is no libhttp-oai-perl");

/** Prints for each record its identifier, date and whether it is deleted, and at the end the time of the answer. */
const HARVEST = `
use strict; use HTTP::OAI;
my ($url, @arguments) = @ARGV;
my $show = sub {
  my ($record) = @_;
  print join(' ', $record->identifier, $record->datestamp, ($record->status // '') eq 'deleted' ? 1 : 0), "\\n";
};
my $harvester = HTTP::OAI::Harvester->new(baseURL => $url);
my $list = $harvester->ListRecords(metadataPrefix => 'oai_dc', @arguments, onRecord => $show);
die $list->message if $list->is_error;
print $list->responseDate, "\\n";
`;
const RECORDS = Number(process.env.HARVEST_RECORDS ?? 1_800);
/** Milliseconds for the import and the harvest each, enough for a machine with a tenth of the usual speed. */
const PATIENCE = 120_000 + RECORDS * 20;
const ACCOUNT = { email: "admin@example.org", password: "a long walk by the harbour" };

type Harvested = { begun: string; records: Map<string, { deleted: boolean }>; count: number };

describe.runIf(isHere)("a harvest", () => {
  let home: string;
  let service: Started;
  let token: string;
  const ids: string[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "svc-harvest-"));
    const settings = {
      SVC_DATA_DIR: home,
      DATABASE_URL: "",
      JWT_EXPIRES_SECONDS: "86400",
      DEFAULT_ADMIN_EMAIL: ACCOUNT.email,
      DEFAULT_ADMIN_PASSWORD: ACCOUNT.password,
    };
    service = await started(
      [process.execPath, `${ROOT}cli/svc-manage.mjs`, "serve"],
      settings,
      runtimeName(),
    );
    token = (await service.ask("/v1/auth/login", { json: ACCOUNT })).json.access_token;
    const { path, mapping } = await records(RECORDS);
    await writeFile(join(home, "mapping.json"), JSON.stringify(mapping));
    const list = ["--type", "object", "--mapping", join(home, "mapping.json"), "--auto-publish"];
    const command = [
      `${ROOT}cli/svc-manage.mjs`,
      "import-csv",
      path,
      ...list,
      "--rejects",
      join(home, "rejects.csv"),
    ];
    await promisify(execFile)(process.execPath, command, { env: environment(settings) });
    // read from the database, because 300 pages of the API would take longer than the harvest
    const rows = await lookInto(
      home,
      (sql) => sql<{ id: string }[]>`select id from records where record_type = 'object'`,
    );
    ids.push(...rows.map(({ id }) => id));
    expect(ids).toHaveLength(RECORDS);
    await settled();
  }, PATIENCE);
  afterAll(async () => {
    await service?.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** Waits until all objects can be harvested. */
  async function settled(): Promise<void> {
    for (;;) {
      const { text } = await service.ask("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&set=object");
      const size = Number(/completeListSize="(\d+)"/.exec(text)?.[1] ?? 0);
      if (size >= RECORDS) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async function harvest(...args: string[]): Promise<Harvested> {
    const command = ["-e", HARVEST, `${service.url}/oai`, ...args];
    const { stdout } = await promisify(execFile)("perl", command, { maxBuffer: 64 * 1024 * 1024 });
    const lines = stdout.trim().split("\n");
    const begun = lines.pop()!;
    const records = lines
      .map((line) => line.split(" "))
      .map(
        ([identifier, , deleted]) => [identifier!.split(":").at(-1)!, { deleted: deleted === "1" }] as const,
      );
    return { begun, records: new Map(records), count: records.length };
  }

  it(
    "has every record exactly once while others write, and the next one has their changes",
    async () => {
      const state = new Map(ids.map((id): [string, boolean] => [id, false]));
      let isOver = false;
      let written = 0;
      const writing = (async () => {
        for (let n = 0; !isOver; n++) {
          const id = ids[(n * 7_919) % ids.length]!;
          if (state.get(id)) continue;
          const work = n % 3;
          const { status } =
            work === 0
              ? await service.ask(`/v1/objects/${id}`, {
                  method: "PATCH",
                  token,
                  json: { metadata_: { edition: [{ value: `${n}` }] } },
                })
              : work === 1
                ? await service.ask(`/v1/objects/${id}/status`, { token, json: { status: "internal" } })
                : await service.ask(`/v1/objects/${id}?force=true`, { method: "DELETE", token });
          expect(status).toBeLessThan(300);
          if (work > 0) state.set(id, true);
          const { json: made } = await service.ask("/v1/objects", {
            token,
            json: { status: "public", metadata_: { title: [{ value: `New sheet ${n}` }] } },
          });
          state.set(made.id, false);
          written += 2;
        }
      })();
      const full = await harvest("set", "object").finally(() => {
        isOver = true;
      });
      await writing;
      expect(written).toBeGreaterThan(20);
      expect(full.count).toBe(full.records.size);
      expect(ids.filter((id) => !full.records.has(id))).toEqual([]);

      // what is written in this second can be harvested in the next
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const since = await harvest("set", "object", "from", full.begun);
      const known = new Map([...full.records, ...since.records]);
      const wrong = [...state].filter(([id, deleted]) => known.get(id)?.deleted !== deleted);
      expect(wrong).toEqual([]);
      expect(since.count).toBeLessThan(full.count);
      if (process.env.HARVEST_RECORDS)
        console.log(`harvested ${full.count} while ${written} writes were made, then ${since.count}`);
    },
    PATIENCE,
  );
});
