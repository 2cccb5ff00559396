/** Files that the operator names: only regular files that the command found, opened by the process that was asked. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, open, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { identityOf } from "../../src/adapters/files/named-files.ts";
import { findJob } from "../../src/jobs/store.ts";
import type { ImportInput } from "../../src/operator/imports.ts";
import { type Call, callThrough, createOperator } from "../../src/operator.ts";
import type { Services } from "../../src/services.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { startJobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { inEnglish } from "../support/lane/in-english.ts";
import { databases, museumHere } from "../support/museum/museum.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { staffBrowser } from "../support/museum/staff-browser.ts";

const LIST = "No,Title\n1,Harbour\n2,Mill\n";
const MAPPING = JSON.stringify({ No: "__idno__", Title: "title" });

const never = (cause: unknown): never => {
  throw cause;
};
const callIn = (services: Services) => callThrough(createOperator(services, never), never);

describe.each(databases)("a file that the operator names, on the %s database", async (database) => {
  let directory: string;
  let file: string;
  const museum = await museumHere({ database });
  const admin = await museum.as("superuser");
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-secret-place-"));
    file = join(directory, "list.csv");
    await writeFile(file, LIST);
    return () => rm(directory, { recursive: true });
  });

  const call: Call = (...args) => callIn(museum.services)(...args);

  async function asked(path = file, found = file): Promise<ImportInput> {
    const handle = await open(found);
    const identity = (await identityOf(handle))!;
    await handle.close();
    return {
      ...{ filename: "list.csv", bytes: LIST.length, type: "object", mapping: MAPPING, dry_run: true },
      ...{ upsert_strategy: "skip", auto_publish: false, language: "en", here: false },
      file: { path, identity },
    };
  }

  async function queued(): Promise<string> {
    const job = await call("import", await asked());
    return job!.id;
  }

  const inputOf = async (id: string) => {
    const rows = await museum.services.sql`select name from job_files where job_id = ${id} order by 1`;
    return rows.map(({ name }) => name);
  };

  it("is read where it lies, and nothing of it is stored", async () => {
    const id = await queued();
    const { state, result } = await endedJob(museum, admin, id);
    expect([state, result]).toEqual(["done", expect.objectContaining({ rows_done: 2, created: 2 })]);
    expect(await inputOf(id)).toEqual(["mapping", "notices", "outcome", "preview", "report"]);
  });

  it("is left to the command if it is a link, a pipe, a directory, another file, or has no absolute path", async () => {
    const link = join(directory, "link.csv");
    await symlink(file, link);
    const pipe = join(directory, "pipe.csv");
    execFileSync("mkfifo", [pipe]);
    const other = join(directory, "other.csv");
    await writeFile(other, LIST);
    await mkdir(join(directory, "folder"));
    const places = [link, pipe, other, join(directory, "folder"), "/dev/zero", join(directory, "none.csv")];
    for (const path of [...places, relative(process.cwd(), file)])
      expect(await call("import", await asked(path)), path).toBeNull();
    expect(await museum.services.sql`select 1 from jobs where kind = 'import' and state = 'queued'`).toEqual(
      [],
    );
  });

  it("is refused if it was replaced or changed before the job reads it", async () => {
    const changes = {
      replaced: async () => {
        await writeFile(`${file}.new`, LIST);
        await rename(`${file}.new`, file);
      },
      "a link by now": async () => {
        await rename(file, `${file}.old`);
        await symlink(`${file}.old`, file);
      },
      longer: () => writeFile(file, `${LIST}3,Bridge\n`),
      touched: () => utimes(file, 1, 1),
    };
    for (const [name, change] of Object.entries(changes)) {
      await rm(file);
      await writeFile(file, LIST);
      const id = await queued();
      await change();
      const { state, reason } = await endedJob(museum, admin, id);
      expect([name, state, reason]).toEqual([name, "failed", expect.stringContaining("has changed")]);
    }
  });

  it("is retried by the operator alone, not by the API or a page", async () => {
    const id = await queued();
    await admin(`/v1/jobs/${id}/cancel`, { method: "POST" });
    const refused = await admin(`/v1/jobs/${id}/retry`, { method: "POST" });
    expect([refused.status, (await refused.json()).code]).toEqual([409, "job.named_file"]);
    const browser = await staffBrowser(museum, "superuser");
    expect((await browser.send(`/admin/jobs/${id}/retry`, {})).status).toBe(409);
    expect((await findJob(museum.services.sql, id))!.state).toBe("cancelled");
    expect(await call("retry-job", { id })).toMatchObject({ state: "queued" });
    expect((await endedJob(museum, admin, id)).state).toBe("done");
  });

  it("is never opened by another process, whose job ends with a reason", async () => {
    const id = await queued();
    const elsewhere = {
      ...museum.services,
      namedFiles: { ...museum.services.namedFiles!, place: "elsewhere" },
    };
    const { reason } = await endedJob({ ...museum, services: elsewhere }, admin, id);
    expect(reason).toMatch(/^Only the process that was told to read the file may open it/);
  });

  it("is left alone by others while its command is about to take it", async () => {
    const job = await call("import", { ...(await asked()), here: true });
    const others = startJobLoop(museum.services, KIND_WORK, { ...TIMING, roundMs: 20 });
    const housekeeping = await call("dump", {});
    while ((await findJob(museum.services.sql, housekeeping.id))!.state === "queued")
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await findJob(museum.services.sql, job!.id))!.state).toBe("queued");
    await others.stop();
    const own = startJobLoop(museum.services, KIND_WORK, { ...TIMING, roundMs: 20 }, undefined, job!.id);
    while ((await findJob(museum.services.sql, job!.id))!.state !== "done")
      await new Promise((resolve) => setTimeout(resolve, 20));
    await own.stop();
  });

  it("has a path that nobody is told", async () => {
    const id = await queued();
    await endedJob(museum, admin, id);
    const browser = await staffBrowser(museum, "superuser");
    const seen = [
      ...(await Promise.all(
        [`/v1/jobs/${id}`, `/v1/jobs/${id}/events`, "/v1/jobs", `/v1/jobs/${id}/files/report`].map(
          async (path) => (await admin(path)).text(),
        ),
      )),
      ...(await Promise.all(
        [`/admin/jobs/${id}`, "/admin/jobs", `/admin/imports/jobs/${id}`].map((path) => browser.text(path)),
      )),
      JSON.stringify(await call("job", { id })),
      museum.log.join(""),
    ];
    for (const text of seen) expect(text).not.toContain("svc-secret-place");
  });

  it("cannot be named over the API", async () => {
    for (const name of ["path", "file_path", "named_file"]) {
      const body = new FormData();
      for (const [key, value] of Object.entries({ type: "object", mapping: MAPPING, [name]: file }))
        body.append(key, value);
      body.append("file", new Blob([LIST]), "list.csv");
      expect((await admin("/v1/imports", { method: "POST", body })).status).toBe(422);
    }
  });

  it("has all faults of its mapping said at once", async () => {
    const mapping = JSON.stringify({ No: "__idno__", Title: "titel", Lost: "title" });
    const refused = call("import", { ...(await asked()), mapping });
    const { errors } = await refused.then(
      () => ({ errors: [] }),
      (error) => error,
    );
    expect(errors.map(({ detail }: { detail: never }) => inEnglish(detail))).toEqual([
      expect.stringContaining('"Lost"'),
      expect.stringContaining('"titel"'),
    ]);
  });
});
