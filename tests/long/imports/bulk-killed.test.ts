/** A batch edit whose process is killed: the next process finishes it, and it can be undone as a whole. */
import { expect, it } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { newId } from "../../../src/ids.ts";
import { writeChosen } from "../../../src/jobs/chosen-records.ts";
import { enqueueJob } from "../../../src/jobs/enqueue.ts";
import type { JobKind } from "../../../src/jobs/kinds.ts";
import { saveBatch } from "../../../src/records/batch/batch.ts";
import type { Sql } from "../../../src/services.ts";
import { quickest } from "../../support/museum/museum.ts";
import { officeHere } from "../../support/programs/command.ts";
import { type Program, run } from "../../support/programs/processes.ts";

const MANY = 2_000;
const office = await officeHere(quickest);

const worker = async (): Promise<Program> => {
  const program = run("job-program.ts", JSON.stringify(office.settings));
  await program.said(/^working$/);
  return program;
};

/** The number of records with the new value, and the lowest and highest version of all. */
async function progress(sql: Sql): Promise<{ tin: number; least: number; most: number }> {
  const [row] = await sql<{ tin: number; least: number; most: number }[]>`
    select count(*) filter (where metadata ? 'material')::int as tin, min(version)::int as least,
      max(version)::int as most
    from records where idno like 'K.%'`;
  return row!;
}

async function jobDone(sql: Sql, id: string): Promise<boolean> {
  const [job] = await sql<{ state: string }[]>`select state from jobs where id = ${id}`;
  return job?.state === "done";
}

it("continues where it stopped: each record is changed once, and each can get its former value back", async () => {
  const begin = (kind: JobKind, id: string, params: Record<string, unknown>) =>
    office.look(({ sql }) => enqueueJob(sql, { id, kind, params, createdBy: null }));
  const [edit, undo] = [newId(), newId()];
  await office.look(async (services) => {
    const drafts = Array.from({ length: MANY }, (_, n) => ({
      draft: { idno: `K.${n}`, subtype: "other", metadata: { title: [{ value: `Killed ${n}` }] } },
    }));
    const saved = await saveBatch(services, OPERATOR, "object", drafts, { upsert: "refuse", importId: null });
    const chosen = saved.flatMap((result) =>
      result.outcome === "created" ? [{ id: result.id, version: 1 }] : [],
    );
    expect(chosen).toHaveLength(MANY);
    await writeChosen(services.sql, edit, chosen);
  });
  await begin("edit", edit, {
    record_type: "object",
    edit: { what: "add", field: "material", entries: [{ value: "tin" }] },
    on_behalf: null,
  });
  const first = await worker();
  await office.until(first, async (sql) => (await progress(sql)).tin > 0);
  await first.kill("SIGKILL");
  await office.look(async ({ sql }) => {
    const { tin } = await progress(sql);
    expect(tin).toBeGreaterThan(0);
    expect(tin).toBeLessThan(MANY);
    // the list of jobs shows it as unfinished
    expect(await jobDone(sql, edit)).toBe(false);
  });
  const second = await worker();
  await office.until(second, (sql) => jobDone(sql, edit));
  await office.look(async ({ sql }) => {
    expect(await progress(sql)).toEqual({ tin: MANY, least: 2, most: 2 });
    const [imported] = await sql`select state, updated, rejected from imports where id = ${edit}`;
    expect(imported).toMatchObject({ state: "finished", updated: MANY, rejected: 0 });
  });
  await begin("import-undo", undo, {
    import_id: edit,
    record_type: "object",
    dry_run: false,
    on_behalf: null,
  });
  await office.until(second, (sql) => jobDone(sql, undo));
  await second.kill("SIGTERM");
  await office.look(async ({ sql }) => expect(await progress(sql)).toEqual({ tin: 0, least: 3, most: 3 }));
});
