import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { lookThrough } from "../../cli/exports/file.ts";
import { makeSortKeys } from "../../src/records/write/sort-keys.ts";
import { inLong } from "../support/lane/lane.ts";
import { quickest } from "../support/museum/museum.ts";
import { type Ended, type Office, openOffice } from "../support/programs/command.ts";

const rowsOf = (text: string) => text.trimEnd().split("\n").slice(1, -1);
const sealedAgain = (lines: readonly string[]) => {
  const text = lines.map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return `${text}${JSON.stringify({ end: { lines: lines.length - 1, sha256 } })}\n`;
};

describe.each([quickest])("svc-manage export and import, with the %s database", (database) => {
  let office: Office;
  let other: Office;
  beforeEach(async () => {
    office = await openOffice(database);
    other = await openOffice(database);
  });
  afterEach(() => Promise.all([office.close(), other.close()]));

  const folder = (of: Office) => dirname(of.settings.SVC_DATA_DIR!);
  const fill = () => office.look(async (services) => void (await loadDemoMuseum(services)));
  const records = () =>
    other.look(async ({ sql }) => (await sql`select count(*)::int as n from records`)[0]!.n as number);
  const isRefused = async (ended: Promise<Ended>, reason: RegExp | string) => {
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(reason);
    expect(err).not.toMatch(/^ {4}at /m);
  };

  it("move everything from one installation to another, which then has the same export", async () => {
    await fill();
    const done = await office.run("export", "--all", "all.ndjson.gz", "--history", "--json");
    expect(done).toMatchObject({ code: 0, err: "" });
    const { path, rows, bytes } = JSON.parse(done.out);
    const packed = await readFile(join(folder(office), "all.ndjson.gz"));
    expect([path, bytes]).toEqual(["all.ndjson.gz", packed.length]);
    const text = gunzipSync(packed).toString("utf8");
    expect(rowsOf(text)).toHaveLength(rows);
    expect((await stat(join(folder(office), "all.ndjson.gz"))).mode & 0o777).toBe(0o600);

    await other.put("all.ndjson.gz", packed);
    const imported = await other.run("import", "all.ndjson.gz", "--all");
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^Imported:\n {2}role +5\n/) });
    expect(await other.run("export", "again.ndjson", "--all", "--history")).toMatchObject({ code: 0 });
    expect(rowsOf(await other.read("again.ndjson"))).toEqual(rowsOf(text));

    const { service } = await other.serve();
    const { json } = await service.ask("/v1/search?q=harbour");
    expect(json.total).toBeGreaterThan(0);
    await service.stop();
    await isRefused(other.run("import", "all.ndjson.gz", "--all"), /^The catalogue already has records/);
  });

  inLong(it)("say that nobody can sign in after a first import, and what to do, as doctor does", async () => {
    await (await office.serve()).service.stop();
    expect(await office.run("export", "all.ndjson", "--all")).toMatchObject({ code: 0 });
    await other.put("all.ndjson", await office.read("all.ndjson"));
    const { code, out } = await other.run("import", "all.ndjson", "--all");
    expect(code).toBe(0);
    expect(out.split("\n").at(-1)).toBe(
      "1 account came without a password. No administrator can sign in: set a new password with svc-manage reset-admin.",
    );
    const { findings } = JSON.parse((await other.run("doctor", "--json")).out);
    const administrators = findings.filter(({ check }: { check: string }) => check === "administrators");
    expect(administrators).toEqual([
      {
        check: "administrators",
        state: "warning",
        says: "the only one has not chosen a password yet; accounts from import --all have none",
        mend: "sign in and change it; if nobody knows it, run svc-manage reset-admin",
      },
    ]);
    expect(await other.run("reset-admin")).toMatchObject({ code: 0 });
  });

  inLong(it)("work beside a running service, also with a directory as the target", async () => {
    const { service, token } = await office.serve();
    const json = { object_type: "print", metadata_: { title: [{ value: "Lighthouse" }] } };
    await service.ask("/v1/objects", { token, json });
    const { code, out } = await office.run("export", ".", "--all");
    expect(code).toBe(0);
    const [name] = (await readdir(folder(office))).filter((each) => each.startsWith("everything_"));
    expect(name).toMatch(/^everything_\d{8}T\d{6}Z\.ndjson\.gz$/);
    expect(out).toContain(name);
    await other.put("all.gz", await readFile(join(folder(office), name!)));
    const target = await other.serve();
    const imported = JSON.parse((await other.run("import", "all.gz", "--all", "--json")).out);
    expect(imported).toMatchObject({ without_password: 0, administrators_able: 1 });
    // the account now has the id from the file, and the password of this installation
    const login = { email: "admin@example.org", password: other.settings.DEFAULT_ADMIN_PASSWORD };
    const { json: signedIn } = await target.service.ask("/v1/auth/login", { json: login });
    const found = await target.service.ask("/v1/objects?q=lighthouse", { token: signedIn.access_token });
    expect(found.json.total).toBe(1);
  });

  inLong(it)(
    "refuse a file that was cut short, changed or made by a newer version, and change nothing",
    async () => {
      await fill();
      await office.run("export", "all.ndjson", "--all");
      await office.run("export", "all.ndjson.gz", "--all");
      const text = await office.read("all.ndjson");
      const lines = text.trimEnd().split("\n");
      const packed = await readFile(join(folder(office), "all.ndjson.gz"));
      const damaged = Buffer.from(packed);
      damaged.fill(7, 2_000, 2_100);
      const files: [string, string | Uint8Array, RegExp][] = [
        ["empty", "", /is empty/],
        ["header-only", `${lines[0]}\n`, /is incomplete: its closing line is missing/],
        ["cut", text.slice(0, text.length / 2), /is incomplete: its closing line is missing/],
        ["no-end", `${lines.slice(0, -1).join("\n")}\n`, /is incomplete: its closing line is missing/],
        ["packed-cut", packed.subarray(0, packed.length / 2), /is incomplete: it ends too early/],
        ["damaged", damaged, /is damaged and cannot be decompressed/],
        ["changed", text.replace("Harbour", "Harbor"), /was changed after it was written/],
        [
          "row-less",
          [...lines.slice(0, 9), ...lines.slice(10)].join("\n"),
          /was changed after it was written/,
        ],
        ["picture", Buffer.from("\u0089PNG\r\n\u001a\n0000"), /This is not a file of svc-manage export/],
        [
          "newer",
          sealedAgain([lines[0]!.replace('"version":1', '"version":2')]),
          /import it with a newer version/,
        ],
      ];
      for (const [name, content, reason] of files) {
        await other.put(name, content);
        await expect(lookThrough(join(folder(other), name), () => undefined)).rejects.toThrow(reason);
      }
      for (const [name, content, reason] of [
        ["cut.ndjson", text.slice(0, text.length / 2), /^cut\.ndjson is incomplete/],
        ["odd", sealedAgain([lines[0]!, "[1]"]), /A line of the export cannot be read: \[1\]/],
        ["forged", sealedAgain([lines[0]!, '{"record":{"id":"x"}}']), /The database refuses the file: /],
      ] as const) {
        await other.put(name, content);
        await isRefused(other.run("import", name, "--all"), reason);
      }
      await isRefused(
        other.run("import", "nowhere", "--all"),
        /nowhere cannot be read: there is no such file/,
      );
      await isRefused(other.run("import", ".", "--all"), /cannot be read/);
      expect(await records()).toBe(0);
    },
  );

  inLong(it)("refuse ambiguous or incomplete arguments", async () => {
    for (const args of [
      ["all.ndjson"],
      ["all.ndjson", "--all", "--type", "object"],
      ["all.ndjson", "--type", "ship"],
    ]) {
      expect(await office.run("export", ...args)).toMatchObject({ code: 2, out: "" });
    }
    expect(await office.run("export", "x", "--type", "object", "--history")).toMatchObject({ code: 2 });
    expect(await other.run("import", "all.ndjson")).toMatchObject({ code: 2, out: "" });
    await office.put("there.ndjson", "precious");
    await isRefused(office.run("export", "there.ndjson", "--all"), /^there\.ndjson already exists/);
    expect(await office.read("there.ndjson")).toBe("precious");
    await isRefused(
      office.run("export", "no/where.ndjson", "--all"),
      /cannot be written: there is no such directory/,
    );
  });

  inLong(it)("write the records of one type in the form that bulk writing takes", async () => {
    await fill();
    expect(await office.run("export", "objects.ndjson", "--type", "objects")).toMatchObject({ code: 0 });
    const text = await office.read("objects.ndjson");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { service, token } = await office.serve();
    const total = (await service.ask("/v1/objects", { token })).json.total;
    expect(lines).toHaveLength(total);
    const answer = await service.ask("/v1/objects/bulk?upsert=merge", {
      token,
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body: new Response(text).body!,
    });
    const outcomes = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).outcome);
    expect(outcomes).toEqual(lines.map(() => "unchanged"));
  });

  inLong(describe)("killed halfway", () => {
    /** So many that there is time to kill it halfway. */
    const MANY = 10_000;
    const fillMany = () =>
      office.look(async ({ sql }) => {
        await sql`
        insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
        select gen_random_uuid(), 'object', 'N-' || n, 'print', 'public', 'active',
          jsonb_build_object('title', jsonb_build_array(jsonb_build_object('value', 'Print number ' || n))),
          'Print number ' || n, 'print number ' || n
        from generate_series(1, ${MANY}) n`;
        await makeSortKeys(sql);
      });

    it("leave no file under the final name, and import either everything or nothing", async () => {
      await fillMany();
      const half = office.begin("export", "all.ndjson", "--all");
      while ((await stat(join(folder(office), "all.ndjson.part")).catch(() => null)) === null)
        await setTimeout(5);
      await half.kill("SIGKILL");
      expect(await readdir(folder(office))).not.toContain("all.ndjson");
      expect(await office.run("export", "all.ndjson", "--all")).toMatchObject({ code: 0 });
      expect(await readdir(folder(office))).not.toContain("all.ndjson.part");

      await other.put("all.ndjson", await office.read("all.ndjson"));
      const counts: number[] = [];
      for (const delay of [100, 600]) {
        const command = other.begin("import", "all.ndjson", "--all");
        await other.until(command, async (sql) => {
          if (database === "embedded") return true;
          const rows = await sql`
            select 1 from pg_locks where relation = 'records'::regclass and mode = 'ExclusiveLock' and granted
              and database = (select oid from pg_database where datname = current_database())`;
          return rows.length > 0;
        });
        await setTimeout(delay);
        await command.kill("SIGKILL");
        counts.push(await records());
      }
      expect(counts.filter((n) => n !== 0 && n !== MANY)).toEqual([]);
      expect(counts[0]).toBe(0);
      if (counts[1] === 0)
        expect(await other.run("import", "all.ndjson", "--all")).toMatchObject({ code: 0 });
      expect(await records()).toBe(MANY);
      await other.run("export", "again.ndjson", "--all");
      expect(rowsOf(await other.read("again.ndjson"))).toEqual(rowsOf(await office.read("all.ndjson")));
    });
  });
});
