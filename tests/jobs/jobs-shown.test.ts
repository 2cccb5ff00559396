/** Who sees what of a job: titles, values and file names are not for everybody who may see its progress. */
import { beforeEach, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { enqueueJob } from "../../src/jobs/enqueue.ts";
import { writeJobText } from "../../src/jobs/files.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, read, withKey, withRole } from "../support/museum/catalogue.ts";
import { type Ask, museumHere } from "../support/museum/museum.ts";
import { endedJob, importForm, type SentJob, sendImport } from "../support/museum/sent-imports.ts";

const museum = await museumHere();
const superuser = await museum.as("superuser");
const keyed = (permissions: string[]) => withKey(museum, superuser, ...permissions);
/** A key of the superuser that may only read jobs. */
const watcher = await keyed(["jobs:read"]);
beforeEach(() => museum.services.sql`delete from jobs`);

/** Somebody with a new role of these permissions. */
const holder = (records: Record<string, string[]>, features: string[]) =>
  withRole(museum, `role_${newId().slice(-12)}`, records, features);

const ended = (id: string) => endedJob(museum, superuser, id);

let boat = 0;

function boats(more: Record<string, string> = {}): RequestInit {
  const title = { target: "title", lang: "en" };
  const year = { target: "date", transforms: [{ type: "edtf" }] };
  const mapping = { number: "__idno__", title, year };
  const rows = ["number,title,year,left", `B-${++boat},Secret boat,19o2,x`, ",No number,,"];
  return importForm(rows, "hidden-loan.csv", { mapping, ...more });
}

const imported = async (ask = superuser, more = {}) => ended((await sendImport(ask, boats(more))).job_id);

/** Everything that somebody can read of the job: in a list, by itself and in its event stream. */
async function textsFor(ask: Ask, id: string): Promise<string[]> {
  const texts = ["/v1/jobs", `/v1/jobs/${id}`, `/v1/jobs/${id}/events`].map(async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    return answer.text();
  });
  return Promise.all(texts);
}

it("a key that may not read objects sees how far an import is, and nothing from its file", async () => {
  const { job_id, result, params, messages } = await imported();
  expect(params.filename).toBe("hidden-loan.csv");
  expect(JSON.stringify(result)).toContain("19o2");
  expect(JSON.stringify(messages)).toContain("left");
  for (const text of await textsFor(watcher, job_id)) {
    expect(text).toContain(job_id);
    expect(text).not.toMatch(/hidden-loan|19o2|boat|B-\d|left/);
  }
  const seen = await read<SentJob>(watcher(`/v1/jobs/${job_id}`));
  expect(seen.result).toMatchObject({ created: 1, rejected: 1, import_id: result.import_id });
  for (const text of await textsFor(await holder({ object: ["read"] }, ["jobs:read"]), job_id)) {
    expect(text).toMatch(/hidden-loan/);
  }
});

it("the reason of a failed import is shown to those who may read its records", async () => {
  const xml = "<all><it no='B-1'><t>Jug</t></it><it no='B-2'";
  const fields = { mapping: { "@no": "__idno__", t: "title" }, record_xpath: "/all/it" };
  const asked = await sendImport(superuser, importForm([xml], "broken.xml", fields));
  const { job_id, reason } = await ended(asked.job_id);
  expect(reason).toContain("cannot be read to the end");
  expect((await read<SentJob>(watcher(`/v1/jobs/${job_id}`))).reason).toBe(
    "Only shown to callers who may read such records: object",
  );
});

inLong(it)(
  "an undo names remaining drafts, and the records that need them, only to those who may read them",
  async () => {
    const { result } = await imported();
    const { items } = await read<{ items: { id: string; idno: string }[] }>(
      superuser(`/v1/objects?idno=B-${boat}`),
    );
    const person = await create(superuser, "entity");
    const link = { relation_type: "created_by", to_type: "entity", to_id: person.id };
    await read(superuser(`/v1/objects/${items[0]!.id}/relations`, { json: link }), 201);
    const undo = `/v1/imports/${result.import_id}/undo`;
    const { job_id } = await read<SentJob>(superuser(undo, { json: {} }), 202);
    const done = await ended(job_id);
    expect(done.result).toMatchObject({ left: 1, named: [{ title: "Secret boat" }] });
    const curator = await holder({ place: ["read"] }, ["jobs:read"]);
    for (const ask of [watcher, curator]) {
      for (const text of await textsFor(ask, job_id)) expect(text).not.toMatch(/Secret boat|B-\d/);
      expect((await read<SentJob>(ask(`/v1/jobs/${job_id}`))).result).toMatchObject({ left: 1 });
    }
  },
);

it("a list omits entries that name a record of a kind that the reader may not see", async () => {
  const { sql } = museum.services;
  const asked = { kind: "import-undo", createdBy: null, params: { record_type: "object" } } as const;
  const { job } = await enqueueJob(sql, asked);
  const named = [
    { record_type: "object", title: "Boat", reason: "edited since" },
    { record_type: "entity", title: "A. Donor", reason: "edited since" },
    { record_type: "object", title: "Oar", needed_by: { record_type: "entity" }, reason: "ENT-1 is linked" },
  ];
  await sql`update jobs set state = 'done', finished_at = now(), result = ${sql.json({ left: 3, named })} where id = ${job.id}`;
  const curator = await holder({ object: ["read"] }, ["jobs:read"]);
  const seen = await read<SentJob>(curator(`/v1/jobs/${job.id}`));
  expect(seen.result).toEqual({ left: 3, named: named.slice(0, 1) });
});

it("rejected rows are for the sender, and for those who run the service and may read such records", async () => {
  const maker = await keyed(["import:run", "records:read", "records:write"]);
  const { job_id } = await imported(maker);
  const rejects = `/v1/jobs/${job_id}/files/rejects`;
  expect(await (await maker(rejects)).text()).toContain("No number");
  await read((await keyed(["jobs:read", "settings:manage"]))(rejects), 403);
  const keeper = await keyed(["jobs:read", "settings:manage", "records:read"]);
  expect(await (await keeper(rejects)).text()).toContain("No number");
});

inLong(it)(
  "the preview of a dry run contains values of the catalogue, and is for those who may read them",
  async () => {
    const maker = await keyed(["import:run", "records:read", "records:write"]);
    const { job_id } = await imported(maker, { dry_run: "true" });
    await writeJobText(museum.services.sql, job_id, "preview", "{}");
    const preview = `/v1/jobs/${job_id}/files/preview`;
    await read(watcher(preview), 403);
    await read(superuser(preview));
    await read(maker(preview));
    // it names linked records
    const features = ["jobs:read", "settings:manage"];
    await read((await holder({ object: ["read"] }, features))(preview), 403);
  },
);

it("whoever requested a job can read, watch, cancel and repeat it without permission to read jobs", async () => {
  const maker = await keyed(["import:run", "records:read", "records:write"]);
  const other = await keyed(["import:run", "records:read", "records:write"]);
  const stranger = await museum.as("viewer");
  const { job_id } = await read<SentJob>(maker("/v1/imports", boats()), 202);
  const path = `/v1/jobs/${job_id}`;
  const job = await read<SentJob>(maker(path));
  expect(job.params.filename).toBe("hidden-loan.csv");
  for (const nobody of [other, stranger]) {
    for (const below of ["", "/events", "/files/rejects"]) await read(nobody(path + below), 403);
    for (const deed of ["cancel", "retry"]) await read(nobody(`${path}/${deed}`, { method: "POST" }), 403);
  }
  await read(maker("/v1/jobs"), 403);
  await read(maker(`${path}/cancel`, { method: "POST" }));
  expect(await (await maker(`${path}/events`)).text()).toContain("event: cancelled");
  await read(maker(`${path}/retry`, { method: "POST" }), 202);
});

it("a caller who may not read jobs does not learn which exist", async () => {
  const stranger = await museum.as("viewer");
  const { job } = await enqueueJob(museum.services.sql, { kind: "housekeeping", createdBy: null });
  const [there, nowhere] = [job.id, newId()].map((id) => stranger(`/v1/jobs/${id}`));
  expect(await read(there!, 403)).toMatchObject({ detail: expect.stringContaining("jobs:read") });
  const { detail } = await read<{ detail: string }>(nowhere!, 403);
  expect(detail).toContain("jobs:read");
});

it("the list of imports shows file names to those who may read the records", async () => {
  await imported();
  const loader = await keyed(["import:run"]);
  expect(JSON.stringify(await read(loader("/v1/imports")))).not.toContain("hidden-loan");
  expect(JSON.stringify(await read(superuser("/v1/imports")))).toContain("hidden-loan");
});

it("a key for metrics reads no jobs, and a key for jobs no metrics", async () => {
  const scraper = await keyed(["metrics:read"]);
  expect((await scraper("/metrics")).status).toBe(200);
  await read(scraper("/v1/jobs"), 403);
  await read(watcher("/metrics"), 403);
});
