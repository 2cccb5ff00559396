/** A merge with links to later rows is killed and repeated several times: no record is ever without its link. */
import { beforeAll, expect, it } from "vitest";
import type { Services } from "../../../src/services.ts";
import { quickest } from "../../support/museum/museum.ts";
import { endOf, officeHere } from "../../support/programs/command.ts";

const LIDS = 900;
const all = Array.from({ length: LIDS }, (_, n) => n);
const MAPPING = { No: "__idno__", Title: "title", Date: "date", Whole: "__relation:part_of:object__" };
const BEFORE = ["No,Title,Date,Whole", ...all.map((n) => `L${n},Lid ${n},,O`), "O,Old box,,"];
/** Every third row of a box is refused. */
const isRefused = (n: number) => n % 3 === 2;
const AFTER = [
  "No,Title,Date,Whole",
  ...all.map((n) => `L${n},,,N${n}`),
  ...all.map((n) => `N${n},New box ${n},${isRefused(n) ? "no date" : ""},`),
];
const MERGE = ["--type", "object", "--mapping", "mapping.json", "--upsert-strategy", "merge"];

async function wholeOfEachPart({ sql }: Services): Promise<Map<string, string>> {
  const rows = await sql<{ part: string; whole: string }[]>`
    select f.idno as part, string_agg(t.idno, ' ') as whole
    from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id group by 1`;
  return new Map(rows.map(({ part, whole }) => [part, whole]));
}

const office = await officeHere(quickest);
beforeAll(async () => {
  await office.put("mapping.json", JSON.stringify(MAPPING));
  await office.put("before.csv", BEFORE.join("\n"));
  await office.put("after.csv", AFTER.join("\n"));
});

it("a merge keeps every link after kills among its rows, after the last row and among the waiting links", async () => {
  expect(await office.run("import-csv", "before.csv", ...MERGE)).toMatchObject({ code: 0 });
  const moments: [rows: number, links: number][] = [
    [LIDS, 0],
    [2 * LIDS, 0],
    [2 * LIDS, 1],
  ];
  for (const [rows, links] of moments) {
    const command = office.begin("import-csv", "after.csv", ...MERGE);
    await office.until(command, async (sql) => {
      const [done] = await sql<{ rows_done: number; links: number }[]>`
        select rows_done, (select count(*)::int from relations where import_id = i.id) as links
        from imports i where filename = 'after.csv'`;
      return done !== undefined && done.rows_done >= rows && done.links >= links;
    });
    await command.kill("SIGKILL");
    const now = await office.look(wholeOfEachPart);
    for (const n of all) expect(["O", `N${n}`]).toContain(now.get(`L${n}`));
  }
  const last = await endOf(office.begin("import-csv", "after.csv", ...MERGE));
  expect([last.code, last.err]).toEqual([3, expect.stringContaining("Continuing import")]);
  const expected = all.map((n): [string, string] => [`L${n}`, isRefused(n) ? "O" : `N${n}`]);
  expect(await office.look(wholeOfEachPart)).toEqual(new Map(expected));
});
