import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { newId } from "../../src/ids.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { writeJobText } from "../../src/jobs/files.ts";
import type { Job } from "../../src/jobs/job.ts";
import { claimJob, saveProgress } from "../../src/jobs/queue.ts";
import { findJob } from "../../src/jobs/store.ts";
import { createLog } from "../../src/log.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { importFile } from "../../workers/import-file.ts";
import { KIND_WORK } from "../../workers/job-kinds.ts";
import { type JobLoop, startJobLoop } from "../../workers/job-loop.ts";
import { TIMING } from "../../workers/timing.ts";
import { inLong } from "../support/lane/lane.ts";
import { answered, type Page, read, withRole } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, quickest } from "../support/museum/museum.ts";
import { importForm, sendImport } from "../support/museum/sent-imports.ts";

type JobJson = Omit<Job, "id" | "revision" | "result"> & { job_id: string; result: Record<string, unknown> };

const MAPPING = {
  number: "__idno__",
  title: { target: "title", lang: "en" },
  year: "date",
  maker: "__relation:created_by:entity__",
};

const CSV = [
  "number,title,year,maker",
  "I-1,Boat,1901,Ada Smith",
  "I-2,Lamp,19o2,Ada Smith",
  "I-3,Net,1903,Jo Reed",
  "I-4,Rope,1904,",
].join("\n");

function form(fields: Record<string, string>, file: string | Blob = CSV, name = "boats.csv"): FormData {
  const body = new FormData();
  for (const [key, value] of Object.entries({ type: "object", mapping: JSON.stringify(MAPPING), ...fields }))
    body.append(key, value);
  body.append("file", typeof file === "string" ? new Blob([file]) : file, name);
  return body;
}

type Tally = { import_id: string; rows_done: number; created: number; rejects: string };

describe.each(databases)("imports over the API on the %s database", async (database) => {
  const museum = await museumHere({ database, env: { IMPORT_MAX_BYTES: "3000000" } });
  const admin = await museum.as("admin");
  let loop: JobLoop | null = null;
  afterAll(() => loop?.stop());

  const work = () => {
    loop ??= startJobLoop(
      museum.services,
      KIND_WORK,
      { ...TIMING, roundMs: 20, renewMs: 50 },
      async () => undefined,
    );
  };
  const rest = async () => {
    await loop?.stop();
    loop = null;
  };

  async function send(body: FormData, ask: Ask = admin): Promise<JobJson> {
    const answer = await ask("/v1/imports", { method: "POST", body });
    const json = (await answer.json()) as JobJson;
    expect(answer.status, JSON.stringify(json)).toBe(202);
    expect(answer.headers.get("Location")).toBe(`/v1/jobs/${json.job_id}`);
    return json;
  }

  async function ended(id: string): Promise<JobJson> {
    work();
    for (;;) {
      const job = await read<JobJson>(admin(`/v1/jobs/${id}`));
      if (job.state !== "queued" && job.state !== "running") return job;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const numbers = async () =>
    (
      await museum.services.sql<{ idno: string }[]>`
      select idno from records where record_type = 'object' and deleted_at is null order by 1`
    ).map(({ idno }) => idno);

  it("stops even during its first reading of the file", async () => {
    const { job_id } = await send(form({}));
    const { params } = (await findJob(museum.services.sql, job_id))!;
    const reports: unknown[] = [];
    const why = new Error("stopped");
    const work = importFile({
      services: museum.services,
      id: job_id,
      params,
      signal: AbortSignal.abort(why),
      report: async (news) => void reports.push(news),
      remember: async () => undefined,
      log: createLog({ level: "error", format: "json", write: () => undefined }),
    });
    await expect(work).rejects.toBe(why);
    expect(reports).toEqual([{ done: 0, total: CSV.length }]);
    expect(await admin(`/v1/jobs/${job_id}/cancel`, { method: "POST" })).toMatchObject({ status: 200 });
  });

  it("previews in a dry run what the file would bring, and writes nothing", async () => {
    const { job_id } = await send(form({ dry_run: "true" }));
    const job = await ended(job_id);
    expect(job).toMatchObject({ state: "done", result: { dry_run: true, created: 3, rejected: 1 } });
    const preview = await read<{ preview: { fields: Record<string, unknown> } }>(
      admin(job.result.preview as string),
    );
    expect(preview.preview.fields).toMatchObject({ title: { created: 3 } });
    expect(await numbers()).toEqual([]);
  });

  it("counts in the preview of a merge only the links that change", async () => {
    const list = async (rows: string[], how: object) => {
      const mapping = { No: "__idno__", Title: "title", Maker: MAPPING.maker };
      const lines = ["No,Title,Maker", ...rows];
      return ended((await sendImport(admin, importForm(lines, "links.csv", { mapping, ...how }))).job_id);
    };
    const first = await list(["L-1,Oar,Ann", "L-2,Buoy,Bob"], {});
    const { result } = await list(["L-1,Long oar,Ann", "L-2,Buoy,Eve"], {
      upsert_strategy: "merge",
      dry_run: "true",
    });
    await undoImport(museum.services, OPERATOR, first.result.import_id as string, { dryRun: false });
    const { preview } = await read<{ preview: { relations: object } }>(admin(result.preview as string));
    expect(preview.relations).toMatchObject({
      "created_by → entity": { rows: 1, example: "Eve", lost: 1, lost_example: "Bob" },
    });
  });

  it("cuts long lists in the result, counts them, and leads to the rest", async () => {
    const rows = Array.from({ length: 140 }, (_, n) => `${`${n % 20}`.padStart(60, "0")},A`);
    const mapping = { No: "__idno__", Title: "title" };
    const sent = await sendImport(
      admin,
      importForm(["No,Title", ...rows], "long.csv", { mapping, dry_run: "true" }),
    );
    const { result } = await ended(sent.job_id);
    expect(result).toMatchObject({ repeated: 120, shortened: { repeated_lines: 120 } });
    const lines = result.repeated_lines as unknown[];
    expect(lines.length).toBeGreaterThan(50);
    expect(JSON.stringify(lines).length).toBeLessThan(8_001);
    type Report = { repeated_lines: unknown[]; sections: { text: string; items: string[]; more: null }[] };
    const whole = await read<Report>(admin(result.report as string));
    expect(whole.repeated_lines).toHaveLength(120);
    expect(whole.repeated_lines.slice(0, lines.length)).toEqual(lines);
    expect(whole.sections).toMatchObject([
      { text: expect.stringMatching(/^120 rows left out: they have the number/), more: null },
    ]);
    expect(whole.sections[0]!.items).toHaveLength(120);
  });

  it("says reasons in the language of the request, codes in none, and earlier sentences as they are", async () => {
    const german = { "Accept-Language": "de" };
    const ask: Ask = (path, init) => admin(path, { ...init, headers: { ...init?.headers, ...german } });
    const { job_id } = await send(form({ dry_run: "true" }), ask);
    const { result } = await ended(job_id);
    type Preview = { preview: { refused: { reason: string }[] } };
    const reason = async (reader: Ask) =>
      (await read<Preview>(reader(result.preview as string))).preview.refused[0]!.reason;
    expect(await reason(ask)).toContain("ist kein EDTF-Datum");
    expect(await reason(admin)).toContain("EDTF date");
    expect(await (await admin(result.rejects as string)).text()).toContain("ist kein EDTF-Datum");

    type Refused = { title: string; errors: { code: string; detail: string }[] };
    const refused = async (reader: Ask) =>
      (await (
        await reader("/v1/imports", { method: "POST", body: form({}, "<all/>", "all.xml") })
      ).json()) as Refused;
    const [inGerman, inEnglish] = [await refused(ask), await refused(admin)];
    expect(inGerman.errors).toMatchObject([
      { code: "import.xpath_required", detail: expect.stringContaining("ist bei XML nötig") },
    ]);
    expect(inEnglish.errors).toMatchObject([
      { code: "import.xpath_required", detail: expect.stringContaining("is required for XML") },
    ]);

    const { sql } = museum.services;
    const old = "stopped by an earlier version";
    const messages = [{ at: new Date(0).toISOString(), text: old }];
    await sql`
      update jobs set state = 'failed', reason = ${old}, result = ${sql.json({ warnings: [old] })},
        messages = ${sql.json(messages)} where id = ${job_id}`;
    await sql`delete from job_files where job_id = ${job_id} and name = 'preview'`;
    await writeJobText(sql, job_id, "preview", JSON.stringify({ preview: { refused: [{ reason: old }] } }));
    expect(await read(ask(`/v1/jobs/${job_id}`))).toMatchObject({
      reason: old,
      result: { warnings: [old] },
      messages: [{ text: old }],
    });
    expect(await reason(ask)).toBe(old);
  });

  it("treats an empty form field as not sent", async () => {
    const empty = { dry_run: "", auto_publish: "", upsert_strategy: "", subtype: "", encoding: "" };
    const { job_id } = await send(form({ ...empty, type: "object" }));
    const { result } = await ended(job_id);
    expect(result).toMatchObject({ created: 3, rejected: 1 });
    await undoImport(museum.services, OPERATOR, result.import_id as string, { dryRun: false });
    const [job] = await museum.services.sql<{ params: Record<string, unknown> }[]>`
      select params from jobs where id = ${job_id}`;
    expect(job!.params).toMatchObject({ dry_run: false, auto_publish: false, upsert_strategy: "skip" });
  });

  it("says when it guesses the encoding", async () => {
    const texts = async (body: FormData) =>
      (await ended((await send(body)).job_id)).messages.map(({ text }) => text);
    const latin = new Blob([Buffer.from("number,title,year,maker\nL-1,Z\u00fcrich,1901,\n", "latin1")]);
    const guess = /^The file is not UTF-8; it is read as windows-1252/;
    expect(await texts(form({ dry_run: "true" }, latin))).toContainEqual(expect.stringMatching(guess));
    for (const sure of [form({ dry_run: "true" }), form({ dry_run: "true", encoding: "latin1" }, latin)])
      expect(await texts(sure)).not.toContainEqual(expect.stringMatching(guess));
  });

  it("imports a file, keeps refused rows to be corrected, and can be undone", async () => {
    const { job_id } = await send(form({ auto_publish: "true" }));
    const job = await ended(job_id);
    expect(job).toMatchObject({ state: "done", kind: "import", total: CSV.length, done: CSV.length });
    expect(job.result).toMatchObject({ created: 3, rejected: 1, made: { entity: 2 } });
    expect(await numbers()).toEqual(["I-1", "I-3", "I-4"]);

    const rejects = await admin(job.result.rejects as string);
    expect(rejects.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    const text = await rejects.text();
    expect(text).toContain("I-2,Lamp,19o2");
    const mended = text.replace("Lamp,19o2", "Lamp,1902");
    const second = await ended((await send(form({}, mended, "boats.rejects.csv"))).job_id);
    expect(second.result).toMatchObject({ created: 1, rejected: 0, rejects: null });

    const importId = job.result.import_id as string;
    const listed = await read<Page & { items: { id: string; rejected: number }[] }>(admin("/v1/imports"));
    expect(listed.items.find(({ id }) => id === importId)).toMatchObject({
      filename: "boats.csv",
      rejected: 1,
    });
    const undone = await read<JobJson>(admin(`/v1/imports/${importId}/undo`, { json: {} }), 202);
    expect((await ended(undone.job_id)).result).toMatchObject({ trashed: 4, left: 1 });
    expect(await numbers()).toEqual(["I-2"]);
    // the entity of the second file stays, so the rest can be undone later
    expect(await read(admin(`/v1/imports/${importId}`))).toMatchObject({ state: "undoing" });
  });

  it("undoes a bulk write in the same way", async () => {
    const ndjson = [{ idno: "B-1", metadata_: { title: [{ value: "Bowl" }] } }];
    const answer = await admin("/v1/objects/bulk", { ndjson });
    await answer.text();
    const { job_id } = await read<JobJson>(
      admin(`/v1/imports/${answer.headers.get("X-Import-Id")}/undo`, { json: {} }),
      202,
    );
    expect((await ended(job_id)).result).toMatchObject({ trashed: 1 });
  });

  it("imports XML if an XPath selects the records", async () => {
    const xml = "<all><it no='X-1'><t>Jug</t></it><it no='X-2'><t>Pan</t></it></all>";
    const mapping = JSON.stringify({ "@no": "__idno__", t: "title" });
    const job = await ended((await send(form({ mapping, record_xpath: "/all/it" }, xml, "all.xml"))).job_id);
    expect(job.result).toMatchObject({ created: 2 });
  });

  it("reports at once what is wrong with the form, the mapping and the file", async () => {
    const wrong = async (body: FormData) => {
      const answer = await admin("/v1/imports", { method: "POST", body });
      expect(answer.status).toBe(422);
      return ((await answer.json()) as { errors: { pointer: string; detail: string }[] }).errors;
    };
    expect(await wrong(form({ type: "boat", page: "1" }))).toMatchObject([
      { pointer: "/type", detail: expect.stringMatching(/^"boat" is not one of object, entity, /) },
      { pointer: "/page" },
    ]);
    expect(await wrong(form({ format: "cidoc" }))).toMatchObject([{ detail: '"cidoc" must be lido' }]);
    const deep = `${'{"title":'.repeat(40_000)}1${"}".repeat(40_000)}`;
    expect(await wrong(form({ mapping: deep }))).toMatchObject([
      { pointer: "/mapping/title/target", detail: "is missing" },
      { pointer: "/mapping/title/title" },
    ]);
    const repeated = `{"No": "__idno__", "title": {"target": "title", "lang": "en", "lang": "de"}, "No": "title"}`;
    expect(await wrong(form({ mapping: repeated }))).toMatchObject([
      { pointer: "/mapping/title/lang", detail: "is there twice; JSON keeps only the last one" },
    ]);
    expect(await wrong(form({ mapping: repeated.replace(', "lang": "de"', "") }))).toMatchObject([
      { pointer: "/mapping/No" },
    ]);
    expect(await wrong(form({ mapping: "{" }))).toMatchObject([{ pointer: "/mapping" }]);
    expect(await wrong(form({ mapping: JSON.stringify({ ...MAPPING, year: "dat" }) }))).toMatchObject([
      { pointer: "/mapping/year", detail: expect.stringContaining("date") },
    ]);
    expect(await wrong(form({}, ""))).toMatchObject([{ pointer: "/file", detail: "boats.csv is empty" }]);
    const latin = new Blob([Buffer.from("number,title\nL-1,Zurich\nL-2,Z\u00fcrich\n", "latin1")]);
    const marked = new Blob(["\ufeff", latin]);
    for (const [body, line] of [
      [form({ encoding: "utf-8" }, latin), "line 3, column 6, the byte 0xFC (number 30)"],
      [form({}, marked), "line 3, column 6, the byte 0xFC (number 33)"],
    ] as const)
      expect(await wrong(body)).toMatchObject([{ pointer: "/file", detail: expect.stringContaining(line) }]);
    const pointers = async (body: FormData) => (await wrong(body)).map(({ pointer }) => pointer);
    expect(await pointers(form({}, "number,,year,year\n"))).toEqual(["/file/header/3"]);
    expect(await pointers(form({ mapping: "[]" }))).toEqual(["/mapping"]);
    expect(await pointers(form({ record_xpath: "//[" }, "<a/>", "a.xml"))).toEqual(["/record_xpath"]);
    const xml = ["<all><it/></all>", "all.XML"] as const;
    const sentence = "is required for XML: an XPath that selects each record, such as //record";
    expect(await wrong(form({}, ...xml))).toEqual([
      { pointer: "/record_xpath", code: "import.xpath_required", detail: sentence },
    ]);
    expect(await pointers(form({ mapping: "" }, ...xml))).toEqual(["/mapping", "/record_xpath"]);
    expect(await pointers(form({ encoding: "klingon" }))).toEqual(["/encoding"]);
    expect(await pointers(form({ delimiter: ";;" }))).toEqual(["/delimiter"]);
    expect(await pointers(form({ subtype: "submarine", media_selector: "photo" }))).toEqual([
      "/media_selector",
      "/subtype",
    ]);
    // columns may have the names of options
    const named = JSON.stringify({ subtype: "titel", header: "title", photo: "__media__" });
    expect(
      await pointers(
        form({ mapping: named, idno_strategy: "column", media_selector: "photo" }, "subtype,header\nx,y\n"),
      ),
    ).toEqual(["/mapping/photo", "/mapping/subtype", "/idno_strategy"]);
    const without = new FormData();
    without.append("type", "object");
    expect(await wrong(without)).toMatchObject([{ pointer: "/file" }]);
    const twice = form({});
    twice.append("type", "place");
    expect(await wrong(twice)).toMatchObject([{ pointer: "/type", detail: "is given more than once" }]);
    const files = await museum.services
      .sql`select 1 from job_files f where not exists (select 1 from jobs where id = f.job_id)`;
    expect(files.length).toBe(0);
  });

  it("refuses what is not a form, is too large, or breaks off", async () => {
    const sent = (body: string, type: string) =>
      admin("/v1/imports", { method: "POST", body, headers: { "Content-Type": type } });
    expect((await sent(CSV, "text/csv")).status).toBe(415);
    expect((await sent("x", "multipart/form-data")).status).toBe(400);
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nnumber\r\n';
    expect((await sent(part, "multipart/form-data; boundary=b")).status).toBe(400);
    expect((await sent(`${part}--b--\r\n`, "multipart/form-data; boundary=b")).status).toBe(422);
    const large = await admin("/v1/imports", {
      method: "POST",
      body: form({}, new Blob(["x".repeat(3_100_000)])),
    });
    expect(large.status).toBe(413);
  });

  it("is open to those who may import, and uses only their permissions", async () => {
    const cataloger = await museum.as("cataloger");
    expect((await cataloger("/v1/imports", { method: "POST", body: form({}) })).status).toBe(403);
    const editor = await museum.as("editor");
    const { job_id, created_by } = await send(
      form({}, "number,title,year,maker\nE-1,Oar,1910,", "oars.csv"),
      editor,
    );
    // the account is disabled before the job has begun
    await museum.services.sql`update accounts set disabled_at = now() where id = ${created_by}`;
    expect(await ended(job_id)).toMatchObject({
      state: "failed",
      reason: "The account that started this is no longer valid",
    });
    expect(await numbers()).not.toContain("E-1");
  });

  it("needs permission to read the kinds that its mapping links to", async () => {
    const features = ["import:run", "jobs:read"];
    const loader = await withRole(museum, "loader", { object: ["read", "create"] }, features);
    expect((await loader("/v1/imports", { method: "POST", body: form({}) })).status).toBe(403);
    const mapping = JSON.stringify({ number: "__idno__", title: "title" });
    const { job_id } = await send(form({ mapping }, "number,title\nL-1,Oar", "l.csv"), loader);
    expect(await ended(job_id)).toMatchObject({ state: "done", result: { created: 1 } });
  });

  it("continues after its process was stopped, and doubles nothing", async () => {
    await rest();
    const rows = Array.from({ length: 2_000 }, (_, n) => `R-${n + 1},Thing ${n + 1},1950,`);
    const { job_id } = await send(form({}, ["number,title,year,maker", ...rows].join("\n"), "many.csv"));
    work();
    for (let done = 0; done === 0; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      [{ done }] = await museum.services.sql<[{ done: number }]>`
        select count(*)::int as done from records where idno like 'R-%'`;
    }
    await rest();
    const between = await read<JobJson>(admin(`/v1/jobs/${job_id}`));
    expect(between.state).toBe("queued");
    const job = await ended(job_id);
    expect(job).toMatchObject({ state: "done", result: { rows_done: 2_000, rejected: 0 } });
    const [count] = await museum.services.sql`
      select count(*)::int as n, count(distinct idno)::int as d from records where idno like 'R-%'`;
    expect(count).toEqual({ n: 2_000, d: 2_000 });
    expect(job.messages.some(({ text }) => String(text).startsWith("Continuing import"))).toBe(true);
  });

  it("reports what it has done if it fails halfway, beside the reason", async () => {
    const xml = `<all>${"<it no='B-1'><t>Jug</t></it>"}<it no='B-2'><t>Pan</it>`;
    const mapping = JSON.stringify({ "@no": "__idno__", t: "title" });
    const { job_id } = await send(form({ mapping, record_xpath: "/all/it" }, xml, "broken.xml"));
    const job = await ended(job_id);
    expect(job).toMatchObject({ state: "failed", result: { rows_done: 1, created: 1, rejected: 0 } });
    expect(job.reason).toContain(`as import ${job.result.import_id}`);
  });

  inLong(it)("stops when it is cancelled, and continues when it is retried", async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `C-${n + 1},Thing ${n + 1},1950,`);
    const { job_id, params } = await send(
      form({}, ["number,title,year,maker", "C-0,Thing,19o2,", ...rows].join("\n"), "more.csv"),
    );
    expect(params).toMatchObject({ auto_publish: false, dry_run: false });
    work();
    for (let done = 0; done === 0; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      [{ done }] = await museum.services.sql<[{ done: number }]>`
        select count(*)::int as done from records where idno like 'C-%'`;
    }
    await admin(`/v1/jobs/${job_id}/cancel`, { method: "POST" });
    const cancelled = await ended(job_id);
    expect(cancelled).toMatchObject({ state: "cancelled", result: { rejected: 1 } });
    const { import_id, rows_done, created, rejects } = cancelled.result as Tally;
    expect(await read(admin(`/v1/imports/${import_id}`))).toMatchObject({ rows_done, created });
    expect(created).toBeGreaterThan(0);
    expect(await (await admin(rejects)).text()).toContain("C-0,Thing,19o2");
    await read(admin(`/v1/jobs/${job_id}/retry`, { method: "POST" }), 202);
    expect(await ended(job_id)).toMatchObject({ state: "done" });
    const [count] = await museum.services.sql`select count(*)::int as n from records where idno like 'C-%'`;
    expect(count).toEqual({ n: 2_000 });
  });

  const UNDONE = { state: "failed", reason: "This import was undone, so it does not continue" };
  /** A job of many rows that has begun to write, with its import. */
  async function underWay(letter: string): Promise<{ jobId: string; importId: string }> {
    await rest();
    const rows = Array.from({ length: 4_000 }, (_, n) => `${letter}-${n + 1},Thing ${n + 1},1950,`);
    const file = ["number,title,year,maker", ...rows].join("\n");
    const { job_id } = await send(form({}, file, `${letter}.csv`));
    work();
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const [row] = await museum.services.sql<{ id: string; rows_done: number }[]>`
        select id, rows_done from imports where filename = ${`${letter}.csv`}`;
      if (row && row.rows_done > 0) return { jobId: job_id, importId: row.id };
    }
  }
  const expectNothingLeft = async (letter: string) => {
    expect((await numbers()).filter((idno) => idno.startsWith(`${letter}-`))).toEqual([]);
    const begun = await museum.services.sql`select state from imports where filename = ${`${letter}.csv`}`;
    expect(begun.map(({ state }) => state)).toEqual(["undone"]);
  };

  inLong(it)("ends when it is undone while it runs, and does not start again", async () => {
    const { jobId, importId } = await underWay("T");
    const undo = await read<JobJson>(admin(`/v1/imports/${importId}/undo`, { json: {} }), 202);
    expect(await ended(jobId)).toMatchObject({ ...UNDONE, attempts: 1, result: { import_id: importId } });
    expect(await ended(undo.job_id)).toMatchObject({ state: "done", result: { left: 0 } });
    await expectNothingLeft("T");
  });

  inLong(it)(
    "ends if it is undone on the command line between two runs of its job, even if the job is retried",
    async () => {
      const { jobId, importId } = await underWay("U");
      await rest();
      expect(await read<JobJson>(admin(`/v1/jobs/${jobId}`))).toMatchObject({ state: "queued" });
      await undoImport(museum.services, OPERATOR, importId, { dryRun: false });
      expect(await ended(jobId)).toMatchObject(UNDONE);
      await expectNothingLeft("U");
      await read(admin(`/v1/jobs/${jobId}/retry`, { method: "POST" }), 202);
      expect(await ended(jobId)).toMatchObject(UNDONE);
      await expectNothingLeft("U");
    },
  );

  /** Runs the job until it reports a message like this one, then ends as if its process were killed. Returns its import. */
  async function killedAt(moment: RegExp, jobId: string, filename: string): Promise<string> {
    const { services } = museum;
    const lease = newId();
    const claimed = await services.sql.begin((tx) =>
      claimJob(tx, { lease, seconds: 60, kinds: [{ kind: "import", concurrency: 1 }], own: [] }),
    );
    expect(claimed).toMatchObject({ id: jobId, attempts: 1 });
    const dies = KIND_WORK.import!.run({
      services,
      id: jobId,
      params: claimed!.params,
      signal: new AbortController().signal,
      log: services.log,
      async report({ message }) {
        if (message !== undefined && moment.test(say(ENGLISH, message))) throw new Error("killed");
      },
      async remember(tx, result) {
        await saveProgress(tx, lease, { result });
      },
    });
    await expect(dies).rejects.toThrow("killed");
    const [begun] = await services.sql<{ id: string }[]>`select id from imports where filename = ${filename}`;
    await services.sql`update jobs set leased_until = now() - interval '1 second' where lease = ${lease}`;
    expect(await ended(jobId)).toMatchObject({
      state: "failed",
      reason: expect.stringMatching(/^The service stopped during this import\./),
    });
    return begun!.id;
  }

  it("does not start again if it was undone after its process died before any report", async () => {
    await rest();
    const { job_id: jobId } = await send(form({}, "number,title,year,maker\nK-1,Kite,1950,", "K.csv"));
    const importId = await killedAt(/./, jobId, "K.csv");
    await undoImport(museum.services, OPERATOR, importId, { dryRun: false });
    await read(admin(`/v1/jobs/${jobId}/retry`, { method: "POST" }), 202);
    expect(await ended(jobId)).toMatchObject(UNDONE);
    await expectNothingLeft("K");
  });

  it("is still the same import if its process died between the last row and the end of the job", async () => {
    await rest();
    const { job_id: jobId } = await send(form({}, "number,title,year,maker\nV-1,Ledger,1950,", "V.csv"));
    const importId = await killedAt(/^1 row/, jobId, "V.csv");
    expect(await numbers()).toContain("V-1");
    await read(admin(`/v1/jobs/${jobId}/retry`, { method: "POST" }), 202);
    expect(await ended(jobId)).toMatchObject({ state: "done", result: { import_id: importId } });
    await undoImport(museum.services, OPERATOR, importId, { dryRun: false });
    await expectNothingLeft("V");
  });

  it("waits for a person once its process has died, and then continues", async () => {
    await rest();
    const { job_id: jobId } = await send(form({}, "number,title,year,maker\nD-1,Dory,1950,", "D.csv"));
    const dead = { kinds: [{ kind: "import", concurrency: 1 }], own: [], seconds: 0, lease: newId() };
    await museum.services.sql.begin((tx) => claimJob(tx, dead));
    const job = await ended(jobId);
    expect(job).toMatchObject({
      state: "failed",
      reason: 'The service stopped during this import. "Try again" continues it.',
    });
    expect(await numbers()).not.toContain("D-1");
    // a restart does not start it again either
    await rest();
    expect(await ended(jobId)).toMatchObject({ state: "failed" });
    await read(admin(`/v1/jobs/${jobId}/retry`, { method: "POST" }), 202);
    expect(await ended(jobId)).toMatchObject({ state: "done", result: { created: 1 } });
    expect(await numbers()).toContain("D-1");
  });

  it("imports LIDO without a mapping, and refuses options that LIDO makes needless", async () => {
    const lido = await readFile(new URL("../fixtures/lido-german.xml", import.meta.url), "utf8");
    const sendLido = (fields: Record<string, string>, file = lido) => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ format: "lido", ...fields })) body.append(name, value);
      body.append("file", new Blob([file]), "lido.xml");
      return admin("/v1/imports", { method: "POST", body });
    };
    const refused = async (fields: Record<string, string>, file?: string) => {
      const answer = await sendLido(fields, file);
      const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
      return [answer.status, ...errors.map(({ pointer }) => pointer)];
    };
    expect(await refused({ mapping: "{}", type: "entity" })).toEqual([422, "/mapping", "/type"]);
    expect(await refused({ record_xpath: "//x" })).toEqual([422, "/record_xpath"]);
    expect(await refused({ format: "marc" })).toEqual([422, "/format"]);
    const without = new FormData();
    without.append("file", new Blob([lido]), "lido.xml");
    await answered(admin("/v1/imports", { method: "POST", body: without }), 422, "unless format is lido");

    const [first, second] = lido.split(/(?=<lido:lidoRecID lido:type="local">)/);
    const untitled =
      first!.replace(/<lido:titleWrap>[\s\S]*?<\/lido:titleWrap>/g, "<lido:titleWrap/>") + second;
    const sent = await read<JobJson>(sendLido({ auto_publish: "true" }, untitled), 202);
    const job = await ended(sent.job_id);
    expect(job).toMatchObject({ state: "done", result: { created: 1, rejected: 1 } });
    const rejects = await admin(String(job.result.rejects));
    expect(rejects.headers.get("Content-Type")).toContain("xml");
    expect(await rejects.text()).toContain("1923.17");
    const mended = await ended((await read<JobJson>(sendLido({}, lido), 202)).job_id);
    expect(mended.result).toMatchObject({ created: 1, skipped: 1 });
    expect(await numbers()).toEqual(expect.arrayContaining(["1923.17", "1924.3"]));
  });

  const wcma = new URL("../../../shared/data/wcma/objects.csv", import.meta.url);
  const onceWhereItIs = database === quickest ? inLong(it.skipIf(!existsSync(wcma))) : () => undefined;
  onceWhereItIs("imports a real museum's file", async () => {
    const mapping = await readFile(
      new URL("../../docs/examples/wcma/objects.mapping.json", import.meta.url),
      "utf8",
    );
    const file = await readFile(wcma);
    const job = await ended((await send(form({ mapping }, new Blob([file]), "objects.csv"))).job_id);
    expect(job.result).toMatchObject({ created: 3600, rejected: 0 });
  });
});
