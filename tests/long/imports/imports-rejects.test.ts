/** A list in which one row in a hundred is bad: the others are imported, and each bad one is explained, in every way of importing. */
import { beforeAll, describe, expect, test } from "vitest";
import { resetCatalogue } from "../../../src/adapters/database/dump/reset.ts";
import type { Started } from "../../runtimes/started.ts";
import { MIXED_MAPPING, MIXED_REASONS, mixedList } from "../../support/museum/mixed-list.ts";
import { databases, onceFor } from "../../support/museum/museum.ts";
import { officeHere } from "../../support/programs/command.ts";

const ROWS = 1_500;
const BAD = ROWS / 100;

/** For each row of a rejects file: its line in the list, and whether the reason is the right one. */
function explained(text: string): [line: number, right: boolean][] {
  const [head, ...rows] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n");
  expect(head).toBe("_line,_reason,number,title,year,maker");
  return rows.map((row) => {
    const [, line, reason] = /^(\d+),("(?:[^"]|"")*"|[^,]*),/.exec(row) ?? [];
    const n = Number(line) - 1;
    return [n, MIXED_REASONS[(n / 100) % MIXED_REASONS.length]!.test(reason ?? "")];
  });
}
const EXPECTED = Array.from({ length: BAD }, (_, n) => [(n + 1) * 100, true]);

describe.each(databases)("a list with bad rows, in the %s database,", async (database) => {
  const once = onceFor(database);
  const office = await officeHere(database);
  let service: Started;
  let token: string;
  beforeAll(async () => {
    await office.put("list.csv", mixedList(ROWS));
    await office.put("mapping.json", JSON.stringify(MIXED_MAPPING));
  });

  const there = () =>
    office.look(async ({ sql }) => {
      const [row] = await sql<
        { n: number }[]
      >`select count(*)::int as n from records where record_type = 'object'`;
      return row!.n;
    });

  test("is imported by import-csv with exit code 3 and a rejects file", async () => {
    const ended = await office.run(
      ...["import-csv", "list.csv", "--type", "object", "--mapping", "mapping.json", "--json"],
    );
    expect(ended.code, ended.err).toBe(3);
    expect(JSON.parse(ended.out)).toMatchObject({ rows_done: ROWS, created: ROWS - BAD, rejected: BAD });
    expect(await there()).toBe(ROWS - BAD);
    expect(explained(await office.read("list.rejects.csv"))).toEqual(EXPECTED);
  });

  once("is imported over the API with the same counts, and the same rejects in the job", async () => {
    await office.look(({ sql }) => resetCatalogue(sql, { all: false }));
    ({ service, token } = await office.serve());
    const body = new FormData();
    body.append("type", "object");
    body.append("mapping", JSON.stringify(MIXED_MAPPING));
    body.append("file", new Blob([mixedList(ROWS)]), "list.csv");
    const headers = { Authorization: `Bearer ${token}` };
    const sent = await fetch(`${service.url}/v1/imports`, { method: "POST", headers, body });
    const { job_id, params } = (await sent.json()) as { job_id: string; params: Record<string, unknown> };
    expect(params).toMatchObject({ auto_publish: false, dry_run: false });
    const job = async () => (await service.ask(`/v1/jobs/${job_id}`, { token })).json;
    await expect.poll(async () => (await job()).state).toBe("done");
    const { result } = await job();
    expect(result).toMatchObject({ rows_done: ROWS, created: ROWS - BAD, rejected: BAD });
    expect(explained((await service.ask(result.rejects, { token })).text)).toEqual(EXPECTED);
    await service.kill("SIGTERM");
    expect(await there()).toBe(ROWS - BAD);
  });
});
