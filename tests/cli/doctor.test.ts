import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { databases, onceFor } from "../support/museum/museum.ts";
import { type Office, openOffice } from "../support/programs/command.ts";

type Finding = { check: string; state: "ok" | "warning" | "fault"; says: string; mend?: string };

describe.each(databases)("svc-manage doctor with the %s database", (database) => {
  const once = onceFor(database);
  let office: Office;
  beforeEach(async () => {
    office = await openOffice(database);
  });
  afterEach(() => office.close());

  const dataDir = () => office.settings.SVC_DATA_DIR!;
  async function examine(): Promise<{
    code: number | null;
    findings: Finding[];
    of(check: string): Finding[];
  }> {
    const { code, out, err } = await office.run("doctor", "--json");
    expect(err).toBe("");
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return { code, findings, of: (check) => findings.filter((each) => each.check === check) };
  }

  inLong(it)("finds nothing to mend in a sound installation", async () => {
    await chmod(dataDir(), 0o700);
    const { code, findings, of } = await examine();
    const odd = findings.filter(
      ({ state, check }) =>
        state !== "ok" &&
        check !== "worker" &&
        !/space/.test(`${findings.find((f) => f.check === check)?.mend}`),
    );
    expect(odd).toEqual([]);
    expect(code).toBe(0);
    for (const check of [
      "configuration",
      "SECRET_KEY",
      "TZ",
      "SVC_DATA_DIR",
      "MEDIA_ROOT",
      "BACKUP_ROOT",
      "database",
    ]) {
      expect({ check, found: of(check).length > 0 }).toEqual({ check, found: true });
    }
    for (const check of ["PostgreSQL", "schema", "clock", "outbox", "mail", "administrators"]) {
      expect({ check, state: of(check)[0]?.state }).toEqual({ check, state: "ok" });
    }
  });

  inLong(once)("prints one line for each check, and counts faults and warnings", async () => {
    const { out } = await office.run("doctor");
    const lines = out.split("\n");
    expect(lines.pop()).toMatch(/^\d+ faults?, \d+ warnings?$/);
    expect(lines.filter((line) => !/^(ok|warning|fault) {2,}\S/.test(line))).toEqual([]);
  });

  inLong(it)("changes nothing: it creates no directory, key or database", async () => {
    await rm(join(dataDir(), "database"), { recursive: true, force: true });
    await rm(join(dataDir(), "media"), { recursive: true, force: true });
    const empty = join(dataDir(), "empty");
    office.settings.SVC_DATA_DIR = empty;
    const { code, of } = await examine();
    expect(code).toBe(database === "embedded" ? 1 : 0);
    expect(of("SVC_DATA_DIR")[0]).toMatchObject({
      state: "ok",
      says: `${empty} does not exist yet and will be created`,
    });
    expect(of("SECRET_KEY")[0]!.says).toBe(
      database === "embedded"
        ? `local development: the first start creates one in ${empty}/secret-key`
        : "local development: generated once and stored in the database, for all processes that share it",
    );
    if (database === "embedded") expect(of("database")[0]!.says).toBe(`there is no database yet in ${empty}`);
    await expect(chmod(empty, 0o700)).rejects.toThrow("ENOENT");
  });

  inLong(it)(
    "runs beside the service, sees its worker, and reports a first password that is still in use",
    async () => {
      const { service } = await office.serve();
      const { code, of } = await examine();
      expect(code).toBe(0);
      expect(of("worker")[0]).toMatchObject({
        state: "ok",
        says: expect.stringMatching(/^last seen \d+ seconds? ago$/),
      });
      expect(of("administrators").at(-1)).toMatchObject({
        state: "warning",
        says: "admin@example.org still has DEFAULT_ADMIN_PASSWORD",
      });
      if (database === "embedded") {
        const says = `the embedded database answers through the running service (pid ${service.child.pid})`;
        expect(of("database")[0]).toMatchObject({ state: "ok", says });
      }
    },
  );

  it("finds secrets that others may read and credentials left in files, and says how to mend that", async () => {
    await writeFile(join(dataDir(), "secret-key"), "0".repeat(64), { mode: 0o600 });
    await chmod(join(dataDir(), "secret-key"), 0o644);
    await writeFile(join(dataDir(), "first-run-credentials.txt"), "password: x", { mode: 0o600 });
    const { code, of } = await examine();
    // with an external database, the key is in the database
    expect(code).toBe(database === "embedded" ? 1 : 0);
    expect(of("secret key file")).toEqual(
      database === "embedded"
        ? [
            {
              check: "secret key file",
              state: "fault",
              says: `other users may read ${dataDir()}/secret-key (mode 0644)`,
              mend: `chmod 600 ${dataDir()}/secret-key`,
            },
          ]
        : [],
    );
    expect(of("first-run credentials")[0]).toMatchObject({ state: "warning" });
  });

  it("finds records whose projection fails, with the reason, and mails that were given up", async () => {
    await office.look(async ({ sql }) => {
      await sql`insert into outbox (target, record_id, attempts, last_error)
        values ('search', gen_random_uuid(), 3, 'the index is full')`;
      await sql`insert into mail_queue (id, kind, given_up_at) values (gen_random_uuid(), 'password_reset', now())`;
    });
    const { code, of } = await examine();
    expect(code).toBe(0);
    expect(of("outbox")[0]).toMatchObject({
      state: "warning",
      says: expect.stringContaining("the index is full"),
    });
    expect(of("mail")[0]).toMatchObject({ state: "warning", says: "0 waiting, 1 given up" });
  });

  it("finds a schema that is not this version's", async () => {
    await office.look(
      ({ sql }) =>
        sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`,
    );
    if (database === "embedded") {
      // the check does not migrate it
      expect((await examine()).of("schema")[0]).toMatchObject({
        state: "fault",
        mend: "run svc-manage migrate",
      });
      return;
    }
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("schema")[0]).toMatchObject({
      says: expect.stringMatching(/^The database lacks 1 of \d+ schema files$/),
      mend: "run svc-manage migrate",
    });
    // missing tables are one fault, not one for each check
    expect(of("worker")).toEqual([]);
  });

  it("reports everything else if the database is down", async () => {
    office.settings.DATABASE_URL = "postgres://svc:secret@127.0.0.1:1/museum";
    const { code, findings, of } = await examine();
    expect(code).toBe(1);
    expect(of("database")).toEqual([
      {
        check: "database",
        state: "fault",
        says: expect.stringContaining("nothing listens there"),
        mend: expect.any(String),
      },
    ]);
    expect(of("MEDIA_ROOT")).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain("secret@");
  });

  once("reports configured services that do not answer, and settings without effect", async () => {
    Object.assign(office.settings, {
      CANTALOUPE_URL: "http://127.0.0.1:1",
      UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1",
      UPSTASH_REDIS_REST_TOKEN: "t",
      SVC_BASE_URL: "https://catalogue.museum.example",
      SECRET_KEY: "8f1c0e5b7a9d4432b6c1e0f9a8d7c6b58f1c0e5b7a9d4432b6c1e0f9a8d7c6b5",
      SMTP_ENABLED: "true",
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: "1",
      SMTP_FROM: "museum@example.org",
      SMTP_STARTTLS: "true",
      TYPESENSE_URL: "http://127.0.0.1:1",
      TYPESENSE_API_KEY: "k",
    });
    const { code, findings, of } = await examine();
    expect(code).toBe(1);
    for (const check of ["Typesense", "Upstash Redis", "mail relay", "Cantaloupe"]) {
      expect({ check, state: of(check)[0]?.state }).toEqual({ check, state: "fault" });
    }
    expect(of("SECRET_KEY")[0]).toMatchObject({ state: "ok", says: "set, 64 characters" });
    expect(JSON.stringify(findings)).not.toContain(office.settings.SECRET_KEY);
  });

  once("lists the faults of the configuration", async () => {
    Object.assign(office.settings, { PORT: "much", TZ: "Mars/Olympus", SMTP_HOTS: "relay" });
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("configuration").map(({ state }) => state)).toEqual(["fault", "fault", "warning"]);
  });

  inLong(once)("finds a directory that cannot be created", async () => {
    await writeFile(join(dataDir(), "letter"), "Dear museum");
    await mkdir(join(dataDir(), "media"), { recursive: true });
    office.settings.MEDIA_ROOT = join(dataDir(), "letter");
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of("MEDIA_ROOT")[0]).toMatchObject({
      state: "fault",
      says: expect.stringMatching(/^MEDIA_ROOT not writable for UID \d+: .*letter \(a file has this name\)$/),
    });
  });
});
