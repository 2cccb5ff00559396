/** import-lido is killed and repeated several times: the catalogue is the same as after an undisturbed import. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Services } from "../../../src/services.ts";
import { catalogue, indexed } from "../../support/museum/importing.ts";
import { lidoText } from "../../support/museum/lido-file.ts";
import { quickest } from "../../support/museum/museum.ts";
import { endOf, type Office, openOffice } from "../../support/programs/command.ts";

const RECORDS = 900;
const CONCEPT =
  "<lido:conceptID>http://d-nb.info/gnd/4037220-3</lido:conceptID><lido:term>Hafenbild</lido:term>";
const FILE = lidoText(RECORDS).replaceAll("<lido:term>painting</lido:term>", CONCEPT);
const IMPORT = ["import-lido", "list.xml", "--auto-publish", "--upsert-strategy", "merge"];

async function imported({ sql, ...services }: Services): Promise<Record<string, unknown>> {
  const all = await catalogue(sql);
  expect((await indexed({ sql, ...services })).records).toBe(all.records!.length);
  const terms = await sql`
    select value, uri from vocabulary_terms where vocabulary = 'object_name' order by value`;
  const states = await sql`select state, created, rejected from imports`;
  return {
    ...all,
    terms: [...terms].map((row) => ({ ...row })),
    states: [...states].map((row) => ({ ...row })),
  };
}

let undisturbed: Office;
let killed: Office;
beforeAll(async () => {
  [undisturbed, killed] = await Promise.all([openOffice(quickest), openOffice(quickest)]);
  for (const office of [undisturbed, killed]) await office.put("list.xml", FILE);
});
afterAll(() => Promise.all([undisturbed.close(), killed.close()]));

it("import-lido ends with the same catalogue after kills at its beginning, in its middle and near its end", async () => {
  const ended = await endOf(undisturbed.begin(...IMPORT));
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("900 created") });
  const moments = [0, 400, RECORDS];
  for (const moment of moments) {
    const command = killed.begin(...IMPORT);
    await killed.until(command, async (sql) => {
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from records`;
      return row!.n >= moment;
    });
    await command.kill("SIGKILL");
  }
  const last = await endOf(killed.begin(...IMPORT));
  expect([last.code, last.err]).toEqual([0, expect.stringContaining("Continuing import")]);
  const expected = await undisturbed.look(imported);
  expect(expected.terms).toContainEqual({ value: "Hafenbild", uri: "http://d-nb.info/gnd/4037220-3" });
  expect(expected.records).toHaveLength(RECORDS + 300);
  expect(await killed.look(imported)).toEqual(expected);
});
