/** export, export-rdf, import --all, schema-export and schema-apply while the service runs, and what happens when an end is killed. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadDemoMuseum } from "../../../cli/demo/load.ts";
import { connectTo } from "../../../src/adapters/database/pglite/unix-socket.ts";
import { closingLine, headerLine } from "../../../src/exports/format.ts";
import { byteStream } from "../../../src/http/answer/text-stream.ts";
import { callThrough } from "../../../src/operator.ts";
import { makeSortKeys } from "../../../src/records/write/sort-keys.ts";
import { askThrough } from "../../../src/runtimes/socket-client.ts";
import { runtimesHere } from "../../runtimes/runtimes.ts";
import { serve, svcManage } from "../../runtimes/started.ts";
import { endOf, type Office, openOffice } from "../../support/programs/command.ts";
import { withResolvers } from "../../support/with-resolvers.ts";

/** So many that no buffer holds all of them. */
const MANY = 4_000;

/** A row of the export of an object. */
let row: (n: number) => string;
/** Nothing comes from its import any more. The other tests fill the minute after which it is refused. */
let silent: Office;
let silence: Promise<PromiseSettledResult<unknown>[]>;
beforeAll(async () => {
  silent = await openOffice();
  const one = await openOffice();
  await one.look(async ({ sql }) => {
    await sql`
      insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
      values (gen_random_uuid(), 'object', 'ONE', 'print', 'public', 'active', '{}', 'Print', 'print')`;
  });
  await one.run("export", "one.ndjson", "--all");
  const line = rowsOf(await one.read("one.ndjson")).find((each) => each.startsWith('{"record"'))!;
  await one.close();
  const { record } = JSON.parse(line);
  // the rows of the configuration are left out
  row = (n) => JSON.stringify({ ...record, id: crypto.randomUUID(), idno: `N-${n}` });
  const { service } = await silent.serve();
  const { half, ended } = sending(silent, new Promise(() => undefined));
  await half;
  silence = Promise.allSettled([ended, service.ask("/v1/objects")]);
});
afterAll(() => silent.close());

let office: Office;
let other: Office;
beforeEach(async () => {
  office = await openOffice();
  other = await openOffice();
});
afterEach(() => Promise.all([office.close(), other.close()]));

const folder = (of: Office) => dirname(of.settings.SVC_DATA_DIR!);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
/** The rows of an export, without what a service notes when it runs. */
const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .filter((line) => !line.startsWith('{"public_date"') && !line.startsWith('{"account"'));
const records = (of: Office) =>
  of.look(async ({ sql }) => (await sql`select count(*)::int as n from records`)[0]!.n as number);
const fillMany = () =>
  office.look(async ({ sql }) => {
    await sql`
      insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
      select gen_random_uuid(), 'object', 'N-' || n, 'print', 'public', 'active',
        jsonb_build_object('title', jsonb_build_array(jsonb_build_object('value', 'Print number ' || n || repeat('.', 400)))),
        'Print number ' || n, 'print number ' || n
      from generate_series(1, ${MANY}) n`;
    await makeSortKeys(sql);
  });

describe("beside a running service", () => {
  it("the commands do the same as without it", async () => {
    await office.look(async (services) => void (await loadDemoMuseum(services)));
    const commands = [
      ["export", "all.ndjson", "--all", "--history"],
      ["export", "objects.ndjson", "--type", "object"],
      ["export-rdf", "all.nq"],
      ["export-rdf", "places.nq", "--type", "place"],
      ["schema-export"],
    ];
    const done = async () => {
      const ends = [];
      for (const command of commands) {
        const { code, out } = await office.run(...command);
        // the size of a file depends on the port of the service
        ends.push({ code, out: out.replace(/ \([\d.]+ [kM]B\)$/, "") });
      }
      const files = await Promise.all(
        ["all.ndjson", "objects.ndjson", "all.nq", "places.nq"].map(async (name) => {
          expect((await stat(join(folder(office), name))).mode & 0o777).toBe(0o600);
          const text = (await office.read(name)).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
          await rm(join(folder(office), name));
          return sha256(name === "all.ndjson" ? rowsOf(text).join() : text);
        }),
      );
      return { ends, files };
    };
    // the first start makes the administrator
    await (await office.serve()).service.stop();
    const without = await done();
    expect(without.ends.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    await office.serve();
    const beside = await done();
    expect(beside.files).toEqual(without.files);
    expect(beside.ends).toEqual(without.ends);
  });

  it("import --all loads everything, and refuses it where records are", async () => {
    await office.look(async (services) => void (await loadDemoMuseum(services)));
    await office.run("export", "all.ndjson.gz", "--all", "--history");
    await other.put("all.ndjson.gz", await readFile(join(folder(office), "all.ndjson.gz")));
    const { service } = await other.serve();
    const before = await service.ask("/v1/search?q=harbour");
    expect(before.json.total).toBe(0);
    const imported = await other.run("import", "all.ndjson.gz", "--all");
    expect([imported.code, imported.out]).toEqual([0, expect.stringMatching(/^Imported:\n {2}role +5\n/)]);
    const after = await service.ask("/v1/search?q=harbour");
    expect(after.json.total).toBeGreaterThan(0);
    const again = await other.run("import", "all.ndjson.gz", "--all");
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^The catalogue already has records/)]);
    expect(await other.run("export", "again.ndjson", "--all", "--history")).toMatchObject({ code: 0 });
    await office.run("export", "all.ndjson", "--all", "--history");
    expect(rowsOf(await other.read("again.ndjson"))).toEqual(rowsOf(await office.read("all.ndjson")));
  });

  it("schema-apply shows a plan, and the service then has the configuration", async () => {
    const { service, token } = await office.serve();
    const file = JSON.parse((await office.run("schema-export")).out);
    file.fields.push({
      record_type: "object",
      name: "watermark",
      label: { en: "Watermark" },
      field_type: "text",
    });
    await office.put("wish.json", JSON.stringify(file));
    const field = async () => (await service.ask("/v1/schemas/object/watermark", { token })).status;
    const planned = await office.run("schema-apply", "wish.json", "--dry-run");
    expect(planned).toMatchObject({ code: 0, out: "add field object.watermark\nNothing was changed." });
    expect((await office.run("schema-apply", "wish.json")).err).toContain("there is no terminal");
    expect(await field()).toBe(404);
    expect((await office.run("schema-apply", "wish.json", "--yes")).out).toContain("Done: 1 step");
    expect(await field()).toBe(200);
    file.roles.push({ name: "superuser", label: { en: "S" }, permissions: { records: {}, features: [] } });
    await office.put("wish.json", JSON.stringify(file));
    const refused = await office.run("schema-apply", "wish.json", "--yes");
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining("cannot add role superuser")]);
  });
});

describe("an export that is interrupted", () => {
  /** An export that is stopped after it has begun to write its file. */
  async function stopped() {
    const command = office.begin("export", "all.ndjson", "--all");
    while (!((await stat(join(folder(office), "all.ndjson.part")).catch(() => null))?.size ?? 0))
      await setTimeout(5);
    command.child.kill("SIGSTOP");
    return command;
  }
  const files = async () => (await readdir(folder(office))).filter((name) => name.startsWith("all"));

  it("blocks nobody while it stands still, and leaves no file under the final name when it is killed", async () => {
    await fillMany();
    const { service, token } = await office.serve();
    const command = await stopped();
    const json = { object_type: "print", metadata_: { title: [{ value: "Written meanwhile" }] } };
    expect((await service.ask("/v1/objects", { token, json })).status).toBe(201);
    expect((await office.run("export", "other.ndjson", "--all")).code).toBe(0);
    await command.kill("SIGKILL");
    expect(await files()).toEqual(["all.ndjson.part"]);
    expect((await office.run("export", "all.ndjson", "--all")).code).toBe(0);
    expect(await files()).toEqual(["all.ndjson"]);
    expect((await service.stop()).code).toBe(0);
  });

  it("leaves no file when the service is killed", async () => {
    await fillMany();
    const { service } = await office.serve();
    const command = await stopped();
    await service.kill("SIGKILL");
    command.child.kill("SIGCONT");
    const { code, err } = await endOf(command);
    expect([code, err]).toEqual([1, expect.stringContaining("no file was written")]);
    expect(await files()).toEqual([]);
  });
});

/** Sends the rows to the service as the command does, and then waits for what `then` promises. */
function sending(to: Office, then: Promise<void>): { half: Promise<void>; ended: Promise<unknown> } {
  const { promise: half, resolve: reached } = withResolvers();
  const pieces = async function* () {
    const encoder = new TextEncoder();
    yield encoder.encode(`${headerLine(false, new Date())}\n`);
    for (let n = 0; n < MANY; n++) yield encoder.encode(`{"record":${row(n)}}\n`);
    reached();
    await then;
    yield encoder.encode(closingLine({ lines: MANY, sha256: "" }));
  };
  const door = join(to.settings.SVC_DATA_DIR!, ".door", "socket");
  const call = callThrough(
    askThrough(() => connectTo(door)),
    (cause) => {
      throw cause;
    },
  );
  const sent = pieces();
  // without `return`, which would wait for what `then` promises
  const ended = call("import-all", {}, { content: byteStream({ next: () => sent.next() }) });
  ended.catch(() => undefined);
  return { half, ended };
}

describe("an import --all that is interrupted", () => {
  it("loads nothing when the command ends early, and the service goes on", async () => {
    const { service } = await other.serve();
    let fail: (error: Error) => void;
    const { half, ended } = sending(
      other,
      new Promise((_, reject) => {
        fail = reject;
      }),
    );
    await half;
    fail!(new Error("the command ends"));
    await expect(ended).rejects.toThrow("the command ends");
    expect((await service.ask("/v1/objects")).json.total).toBe(0);
    await service.stop();
    expect(await records(other)).toBe(0);
  });

  it("loads nothing when the service is killed", async () => {
    const { service } = await other.serve();
    const { half, ended } = sending(other, new Promise(() => undefined));
    await half;
    await service.kill("SIGKILL");
    await expect(ended).rejects.toThrow();
    expect(await records(other)).toBe(0);
  });

  it("loads everything or nothing when the command is killed", async () => {
    await fillMany();
    await office.run("export", "all.ndjson", "--all");
    await other.put("all.ndjson", await office.read("all.ndjson"));
    const { service } = await other.serve();
    for (const delay of [600, 1_500]) {
      const command = other.begin("import", "all.ndjson", "--all");
      await setTimeout(delay);
      await command.kill("SIGKILL");
    }
    const last = await other.run("import", "all.ndjson", "--all");
    const { total } = (await service.ask("/v1/objects")).json;
    expect(total).toBe(MANY);
    if (last.code !== 0) expect(last.err).toMatch(/^The catalogue already has records/);
  });
});

describe.each(["Deno", "Bun"].flatMap(runtimesHere))("on %s", (_name, runtime) => {
  it("the commands ask the running service", async () => {
    await office.look(async (services) => void (await loadDemoMuseum(services)));
    const [from, to] = await Promise.all([serve(runtime, office.settings), serve(runtime, other.settings)]);
    const path = (name: string) => join(folder(office), name);
    const run = async (of: Office, ...args: string[]) => {
      const { code, output } = await svcManage(runtime, of.settings, ...args);
      expect([code, output]).toEqual([0, expect.any(String)]);
      return output;
    };
    await run(office, "export", path("all.ndjson.gz"), "--all");
    expect(await run(office, "export-rdf", path("all.nq"))).toMatch(/^\d+ records written/m);
    await run(other, "import", path("all.ndjson.gz"), "--all");
    await run(other, "export", path("again.ndjson"), "--all");
    await run(office, "export", path("all.ndjson"), "--all");
    expect(rowsOf(await office.read("again.ndjson"))).toEqual(rowsOf(await office.read("all.ndjson")));
    await office.put("wish.json", await run(office, "schema-export"));
    expect(await run(other, "schema-apply", path("wish.json"))).toContain("Nothing to do");
    await Promise.all([from.stop(), to.stop()]);
  });
});

it("an import --all is refused after a minute in which nothing comes, so that it does not block the service", async () => {
  const [refused, asked] = await silence;
  expect(refused).toMatchObject({ status: "rejected", reason: { told: { key: "problem.body.too_slow" } } });
  expect(asked).toMatchObject({ status: "fulfilled", value: { status: 200, json: { total: 0 } } });
}, 180_000);
