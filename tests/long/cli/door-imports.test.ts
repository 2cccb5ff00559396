/** The commands for imports while the service runs and while it does not: files by name and through a pipe, Ctrl-C, kills. */
import { execFileSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Services } from "../../../src/services.ts";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { type Started, serve, svcManage } from "../../runtimes/started.ts";
import { databases } from "../../support/museum/museum.ts";
import { endLeases, endOf, type Office, openOffice } from "../../support/programs/command.ts";

const ROWS = 3_000;
const LIST = `No,Title\n${Array.from({ length: ROWS }, (_, n) => `N ${n},Sketch ${n}`).join("\n")}\n`;
const OPTIONS = ["--type", "object", "--mapping", "mapping.json"];

const directoryOf = ({ settings }: Office) => join(settings.SVC_DATA_DIR!, "..");

async function prepared(kind?: "embedded" | "external"): Promise<Office> {
  const office = await openOffice(kind);
  await office.put("list.csv", LIST);
  await office.put("short.csv", "No,Title\nS 1,Harbour\n,Mill\n");
  await office.put("mapping.json", JSON.stringify({ No: "__idno__", Title: "title" }));
  return office;
}

const recordsIn = async ({ sql }: Pick<Services, "sql">) => {
  const rows = await sql<
    { idno: string; n: number }[]
  >`select idno, count(*)::int as n from records group by 1`;
  return { all: rows.length, twice: rows.filter(({ n }) => n > 1).length };
};

const stored = async ({ sql }: Pick<Services, "sql">) =>
  (
    await sql<{ name: string; bytes: number }[]>`
    select name, sum(octet_length(bytes))::int as bytes from job_files group by 1 order by 1`
  ).map(({ name, bytes }) => [name, bytes]);

/** The list through a pipe, as `program | svc-manage import-csv /dev/fd/…` would send it. */
function throughPipe(office: Office): string {
  const path = join(directoryOf(office), "pipe.csv");
  execFileSync("mkfifo", [path]);
  void pipeline(Readable.from([LIST]), createWriteStream(path));
  return path;
}

describe("imports beside a running service", () => {
  let office: Office;
  let service: Started;
  let token: string;
  beforeAll(async () => {
    office = await prepared();
    ({ service, token } = await office.serve());
    // nothing else leads into the database
  });
  afterAll(() => office.close());

  const asked = async (path: string) => (await service.ask(path, { token })).json;

  it("are done by the service, in the name of svc-manage, and said in the language of the terminal", async () => {
    office.settings.LC_ALL = "de_DE.UTF-8";
    const done = await office.run("import-csv", "short.csv", ...OPTIONS);
    delete office.settings.LC_ALL;
    expect([done.code, done.out]).toEqual([3, expect.stringMatching(/1 neu angelegt, 1 abgelehnt/)]);
    expect(await office.read("short.rejects.csv")).toContain("keine Nummer");
    const [job] = (await asked("/v1/jobs?kind=import")).items;
    expect(job).toMatchObject({ state: "done", actor: null, params: { on_behalf: null } });
    const [record] = (await asked("/v1/objects?idno=S%201")).items;
    const [first] = (await asked(`/v1/objects/${record.id}/history`)).items;
    expect(first).toMatchObject({ actor: null });
  });

  it("preview a dry run as text and as JSON", async () => {
    const text = await office.run(
      "import-csv",
      "short.csv",
      ...OPTIONS,
      "--upsert-strategy",
      "merge",
      "--dry-run",
    );
    expect(text.out).toMatch(/Nothing was written\.$/);
    expect(text.out).toMatch(/Refused +Line +Why|Why/i);
    const json = await office.run("import-csv", "short.csv", ...OPTIONS, "--dry-run", "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      dry_run: true,
      rejects: null,
      preview: { refused: [{ rows: 1 }] },
    });
  });

  it("are stopped by Ctrl-C, go on when they are repeated, and are undone", async () => {
    const command = office.begin("import-csv", "list.csv", ...OPTIONS, "--json");
    while (!((await asked("/v1/imports")).items[0]?.filename === "list.csv")) await setTimeout(20);
    await setTimeout(100);
    command.child.kill("SIGINT");
    const { code, err } = await endOf(command);
    expect([code, err]).toEqual([
      130,
      expect.stringMatching(/rows in .*\nImport id: .*\nInterrupted: run the same/),
    ]);
    const again = await office.run("import-csv", "list.csv", ...OPTIONS, "--json");
    expect([again.code, again.err]).toEqual([0, expect.stringContaining("Continuing import")]);
    const { import_id } = JSON.parse(again.out);
    expect((await asked("/v1/objects?page_size=1")).total).toBe(ROWS + 1);
    const dry = JSON.parse((await office.run("import-undo", import_id, "--dry-run", "--json")).out);
    expect(dry).toMatchObject({ dry_run: true, importId: import_id, finished: true, trashed: ROWS, left: 0 });
    const undone = await office.run("import-undo", import_id, "--yes");
    expect(undone).toMatchObject({
      code: 0,
      out: expect.stringContaining("3,000 records that it created were moved"),
    });
    expect((await asked("/v1/objects?page_size=1")).total).toBe(1);
    const listed = await office.run("imports", "--limit", "1");
    expect(listed.out).toMatch(/list\.csv \(csv, objects\) {2}undone/);
  });

  it("take the content of a pipe", async () => {
    const done = await office.run("import-csv", throughPipe(office), ...OPTIONS);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining("3,000 created") });
    expect((await asked("/v1/objects?page_size=1")).total).toBe(ROWS + 1);
  });

  it("say all faults of a mapping", async () => {
    await office.put("wrong.json", JSON.stringify({ No: "titel", Lost: "title" }));
    const { code, err } = await office.run("import-csv", "list.csv", ...OPTIONS.slice(0, 3), "wrong.json");
    expect([code, err.split("\n").length]).toEqual([1, 3]);
  });
});

describe.each(databases)("imports by a command of its own on the %s database", (kind) => {
  let office: Office;
  afterEach(() => office.close());

  it("store nothing of a named file, and all of a pipe", async () => {
    office = await prepared(kind);
    expect(await office.run("import-csv", "list.csv", ...OPTIONS)).toMatchObject({ code: 0 });
    const files = await office.look(stored);
    expect(files.map(([name]) => name)).not.toContain("input");
    expect(await office.run("import-csv", throughPipe(office), ...OPTIONS)).toMatchObject({ code: 0 });
    expect(await office.look(stored)).toContainEqual(["input", LIST.length]);
    expect(await office.look(recordsIn)).toEqual({ all: ROWS, twice: 0 });
  });
});

it("an import whose command was killed beside an external database ends with a reason, and is repeated", async () => {
  const office = await prepared("external");
  onTestFinished(() => office.close());
  const command = office.begin("import-csv", "list.csv", ...OPTIONS);
  await office.until(command, async (sql) => (await recordsIn({ sql })).all > 100);
  await command.kill("SIGKILL");
  const { service, token } = await office.serve();
  const last = async () => (await service.ask("/v1/jobs?kind=import", { token })).json.items[0];
  expect(await last()).toMatchObject({ state: "running" });
  await office.look(({ sql }) => endLeases(sql));
  while ((await last()).state === "running") await setTimeout(50);
  expect(await last()).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("same command again"),
  });
  const retried = await service.ask(`/v1/jobs/${(await last()).job_id}/retry`, { token, method: "POST" });
  expect(retried.status).toBe(409);
  expect((await office.run("import-csv", "list.csv", ...OPTIONS)).code).toBe(0);
  expect(await office.look(recordsIn)).toEqual({ all: ROWS, twice: 0 });
});

it("an import that the service was told to end goes on at its next start, without another command", async () => {
  const office = await prepared();
  onTestFinished(() => office.close());
  const { service, token } = await office.serve();
  const command = office.begin("import-csv", "list.csv", ...OPTIONS);
  while ((await service.ask("/v1/objects?page_size=1", { token })).json.total < 100) await setTimeout(20);
  await service.kill("SIGTERM");
  const { code, err } = await endOf(command);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /service that had the data directory open has stopped .*run the same command again$/,
    ),
  ]);
  const { service: next } = await office.serve();
  const last = async () => (await next.ask("/v1/jobs?kind=import", { token })).json.items[0];
  while ((await last()).state !== "done") await setTimeout(100);
  // the same command finds it finished
  expect((await office.run("import-csv", "list.csv", ...OPTIONS)).out).toContain("3,000 skipped");
  await next.stop();
  expect(await office.look(recordsIn)).toEqual({ all: ROWS, twice: 0 });
});

it("a large XML file is imported by its name, and not copied into the database", async () => {
  const office = await prepared();
  onTestFinished(() => office.close());
  await office.put("works.json", JSON.stringify({ "@no": "__idno__", title: "title" }));
  const path = join(directoryOf(office), "works.xml");
  const padding = `<!-- ${"x".repeat(1024 * 1024)} -->`;
  const parts = function* () {
    yield "<works>";
    for (let n = 0; n < 40; n++) yield `<work no="X ${n}"><title>Work ${n}</title>${padding}</work>`;
    yield "</works>";
  };
  await pipeline(Readable.from(parts()), createWriteStream(path));
  const { service, token } = await office.serve();
  const xml = [...OPTIONS.slice(0, 3), "works.json", "--record-xpath", "/works/work"];
  const done = await office.run("import-xml", "works.xml", ...xml);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining("40 created")]);
  const { items } = (await service.ask("/v1/jobs?kind=import", { token })).json;
  expect(items[0]).toMatchObject({ total: expect.any(Number), params: { filename: "works.xml" } });
  expect(items[0].total).toBeGreaterThan(40 * 1024 * 1024);
  await service.stop();
  const bytes = (await office.look(stored)).reduce((sum, [, each]) => sum + (each as number), 0);
  expect(bytes).toBeLessThan(1024 * 1024);
});

describe.each(["Deno", "Bun"].flatMap(runtimesHere))("imports on %s", (_name, runtime) => {
  let office: Office;
  let service: Started;
  beforeAll(async () => {
    office = await prepared();
    service = await serve(runtime, office.settings);
  });
  afterAll(async () => {
    await service.stop();
    await office.close();
  });

  it("read a file by its name, and one through a pipe", async () => {
    const [list, pipe] = [join(directoryOf(office), "list.csv"), throughPipe(office)];
    const mapping = join(directoryOf(office), "mapping.json");
    for (const [path, outcome] of [
      [list, "3,000 created"],
      [pipe, "3,000 skipped"],
    ] as const) {
      const more = [
        "--type",
        "object",
        "--mapping",
        mapping,
        "--rejects",
        join(directoryOf(office), "r.csv"),
      ];
      const { code, output } = await svcManage(runtime, office.settings, "import-csv", path, ...more);
      expect([code, output]).toEqual([0, expect.stringContaining(outcome)]);
    }
  });
});
