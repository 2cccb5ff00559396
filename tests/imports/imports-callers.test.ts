/** The permissions of whoever imports are checked with every batch, so that lost permissions are not used to the end of a file. */
import { afterEach, describe, expect, it } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { english, type Page, read, withKey, withRole } from "../support/museum/catalogue.ts";
import { type Ask, databases, museumHere, onceFor } from "../support/museum/museum.ts";
import { endedJob, importForm, type SentJob, sendImport } from "../support/museum/sent-imports.ts";

/** A batch is 400. */
const ROWS = 500;

describe.each(databases)("imports and their callers in the %s database", async (database) => {
  let editor: Ask;
  let id: string;
  let files = 0;
  const once = onceFor(database);
  const museum = await museumHere({ database });
  const chief = await museum.as("superuser");
  afterEach(() => museum.services.sql`drop function if exists meanwhile cascade`);

  const newEditor = async () => {
    editor = await museum.as("editor");
    id = (await read<{ id: string }>(editor("/v1/auth/me"))).id;
  };

  /** Runs this statement as soon as the first batch of an import, or of an undo, is written. */
  async function afterFirstBatch(statement: string, when = "new.rows_done > 0"): Promise<void> {
    await museum.services.sql
      .unsafe(`
      create function meanwhile() returns trigger language plpgsql as
        $$ begin if ${when} then ${statement}; end if; return null; end $$;
      create trigger meanwhile after update on imports for each row execute function meanwhile()`)
      .simple();
  }

  function send(ask: Ask, more: Record<string, string> = {}): Promise<SentJob> {
    files += 1;
    const mapping = { number: "__idno__", title: { target: "title", lang: "en" } };
    const lines = Array.from({ length: ROWS - 1 }, (_, n) => `F${files}-${n + 1},Thing ${n + 1}`);
    const list = ["number,title", ",No number", ...lines];
    return sendImport(ask, importForm(list, "things.csv", { mapping, ...more }));
  }

  const ended = (id: string) => endedJob(museum, chief, id);

  const objects = async (file: number) =>
    (await read<Page>(chief(`/v1/objects?q=F${file}-&page_size=1`))).total;

  inLong(it)(
    "an import stops when its account is disabled, and continues when the account is enabled again",
    async () => {
      await newEditor();
      await afterFirstBatch(`update accounts set disabled_at = now() where id = '${id}'`);
      const { job_id } = await send(editor);
      const job = await ended(job_id);
      expect(job).toMatchObject({ state: "failed", result: { created: 399, rejected: 1 } });
      expect(job.reason).toBe(
        "The account that started this is no longer valid. The rows before that are imported, as " +
          `${job.result.import_id}: retry the job when this has been put right, or undo the import`,
      );
      expect(await objects(files)).toBe(399);
      const rejects = await chief(`/v1/jobs/${job_id}/files/rejects`);
      expect(await rejects.text()).toContain("no identification number");

      await museum.services.sql`drop function meanwhile cascade`;
      await museum.services.sql`update accounts set disabled_at = null where id = ${id}`;
      await read(chief(`/v1/jobs/${job_id}/retry`, { method: "POST" }), 202);
      expect(await ended(job_id)).toMatchObject({
        state: "done",
        result: { import_id: job.result.import_id, created: ROWS - 1 },
      });
      expect(await objects(files)).toBe(ROWS - 1);
    },
  );

  inLong(once)("an import that was stopped can be undone as a whole", async () => {
    await newEditor();
    await afterFirstBatch(`update accounts set disabled_at = now() where id = '${id}'`);
    const { result } = await ended((await send(editor)).job_id);
    await museum.services.sql`drop function meanwhile cascade`;
    const { job_id } = await read<SentJob>(chief(`/v1/imports/${result.import_id}/undo`, { json: {} }), 202);
    expect(await ended(job_id)).toMatchObject({ state: "done", result: { trashed: 399 } });
    expect(await objects(files)).toBe(0);
  });

  once("an import stops when its API key is revoked", async () => {
    await newEditor();
    const keyed = await withKey(museum, editor, "import:run", "records:read", "records:write");
    await afterFirstBatch(`delete from api_keys where account_id = '${id}'`);
    const job = await ended((await send(keyed)).job_id);
    expect(job).toMatchObject({ state: "failed", result: { created: 399 } });
    expect(job.reason).toContain("The API key that started this is no longer valid");
  });

  once("an import stops when its account gets a role that may not import", async () => {
    await newEditor();
    await afterFirstBatch(`update accounts set role = 'cataloger' where id = '${id}'`);
    const job = await ended((await send(editor)).job_id);
    expect(job).toMatchObject({ state: "failed", result: { created: 399 } });
    expect(job.reason).toContain("The role “cataloger” lacks the permission import:run");
  });

  once("an import that publishes stops when its role may no longer publish", async () => {
    const records = { object: ["read", "create", "publish", "update"] };
    const press = await withRole(museum, "press", records, ["import:run"]);
    await afterFirstBatch(
      `update roles set permissions = jsonb_set(permissions, '{records,object}', '["read", "create", "update"]') where name = 'press'`,
    );
    const job = await ended((await send(press, { auto_publish: "true" })).job_id);
    expect(job.reason).toContain("The role “press” lacks the permission records:publish for object");
    const [row] = await museum.services.sql`
      select count(*)::int as n from records where idno like ${`F${files}-%`} and status = 'public'`;
    expect(row).toEqual({ n: 399 });
  });

  inLong(once)(
    "an undo stops when its account may no longer delete, and continues when it may again",
    async () => {
      await newEditor();
      const { result } = await ended((await send(editor)).job_id);
      const demotion = `update accounts set role = 'viewer' where id = '${id}'`;
      await afterFirstBatch(demotion, "new.state = 'undoing'");
      const undo = editor(`/v1/imports/${result.import_id}/undo`, { json: {} });
      const { job_id } = await read<SentJob>(undo, 202);
      const job = await ended(job_id);
      expect(job.state).toBe("failed");
      expect(job.reason).toContain("The role “viewer” lacks the permission import:run");
      expect(job.reason).toContain("retry the job");
      await museum.services.sql`drop function meanwhile cascade`;
      await museum.services.sql`update accounts set role = 'editor' where id = ${id}`;
      await read(chief(`/v1/jobs/${job_id}/retry`, { method: "POST" }), 202);
      expect(await ended(job_id)).toMatchObject({ state: "done", result: { trashed: ROWS - 1 } });
    },
  );

  describe("a bulk write that is still being sent", () => {
    /** Sends two hundred lines, calls `between` once they are answered, and sends two hundred more. */
    async function sendInTwoParts(
      ask: Ask,
      between: () => Promise<unknown>,
    ): Promise<Record<string, unknown>[]> {
      files += 1;
      const encoder = new TextEncoder();
      const line = (n: number) =>
        JSON.stringify({ idno: `F${files}-${n}`, metadata_: { title: english("Thing") } });
      const lines = (from: number) => Array.from({ length: 200 }, (_, n) => `${line(from + n)}\n`).join("");
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const first = writer.write(encoder.encode(lines(0)));
      const answer = await ask("/v1/objects/bulk", {
        method: "POST",
        body: readable,
        headers: { "Content-Type": "application/x-ndjson" },
        duplex: "half",
      } as RequestInit);
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      const readOn = async (until: number) => {
        while (text.split("\n").length <= until) {
          const { done, value } = await reader.read();
          if (done) return;
          text += value;
        }
      };
      await readOn(200);
      await first;
      await between();
      // perhaps nobody reads these any more
      const rest = writer
        .write(encoder.encode(lines(200)))
        .then(() => writer.close())
        .catch(() => undefined);
      await readOn(Number.POSITIVE_INFINITY);
      await rest;
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    }
    const outcomes = (results: readonly Record<string, unknown>[], what: string) =>
      results.filter(({ outcome }) => outcome === what).length;

    it("is read to its end if nothing happens", async () => {
      await newEditor();
      expect(outcomes(await sendInTwoParts(editor, async () => undefined), "created")).toBe(400);
    });

    const { sql } = museum.services;
    const SESSION = "The session that started this is no longer valid";
    const ROLE = "The role “viewer” lacks the permission records:create for object";
    it.each<[string, () => Promise<unknown>, string]>([
      ["account is disabled", () => sql`update accounts set disabled_at = now() where id = ${id}`, SESSION],
      ["session is ended", () => editor("/v1/auth/logout", { method: "POST" }), SESSION],
      ["role is lost", () => sql`update accounts set role = 'viewer' where id = ${id}`, ROLE],
    ])("ends when the %s, and keeps what was answered", async (_what, happens, detail) => {
      await newEditor();
      const results = await sendInTwoParts(editor, happens);
      expect(outcomes(results, "created")).toBe(200);
      const errors = [expect.objectContaining({ pointer: "", detail })];
      expect(results.at(-1)).toEqual({ line: 201, outcome: "rejected", errors });
      expect(await objects(files)).toBe(200);
    });
  });
});
