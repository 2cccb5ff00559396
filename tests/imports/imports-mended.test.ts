/** Rows that were imported without a link: how a dry run shows them, and how they are corrected. */
import { beforeAll, describe, expect, test } from "vitest";
import { inLong } from "../support/lane/lane.ts";
import { quickest } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";

describe("rows that name a missing person", async () => {
  const office = await officeHere(quickest);
  beforeAll(async () => {
    await office.put("people.csv", "No,Name\nE1,Ada\n");
    await office.put("people.json", JSON.stringify({ No: "__idno__", Name: "name" }));
    await office.put("works.csv", "No,Title,Maker\n1,Boat,Bea\n2,Gate,Ada\n");
    const maker = { target: "__relation:created_by:entity__", create: false };
    await office.put("works.json", JSON.stringify({ No: "__idno__", Title: "title", Maker: maker }));
    await office.run("import-csv", "people.csv", "--type", "entity", "--mapping", "people.json");
  });

  const works = (file: string, ...more: string[]) =>
    office.run("import-csv", file, "--type", "object", "--mapping", "works.json", ...more);

  test("are counted first if each name would become a record", async () => {
    await office.put("makers.csv", "No,Title,Maker\n1,Boat,Bea\n2,Gate,Cleo\n3,Mill,Ada\n");
    const makers = { No: "__idno__", Title: "title", Maker: "__relation:created_by:entity__" };
    await office.put("makers.json", JSON.stringify(makers));
    const args = ["makers.csv", "--type", "object", "--mapping", "makers.json", "--dry-run"];
    const { code, out } = await office.run("import-csv", ...args);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^2 people and organisations would be created because of names in the rows; "create": false in the mapping /,
    );
  });

  inLong(test)(
    "are marked in a dry run, explained, and named with the strategy that corrects them",
    async () => {
      const dry = await works("works.csv", "--dry-run");
      expect(dry.out).toMatch(/created_by → +Bea \(not there: no link\)$/m);
      expect(dry.out).toMatch(/created_by → +Ada$/m);
      expect(dry.out).toMatch(
        /^Relation +rows +not made +for example\ncreated_by → entity +2 +1 +Bea \(not/m,
      );

      const first = await works("works.csv");
      expect(first.err).toMatch(
        /^In \S+works\.rejects\.csv, correct the rows that were imported without the missing links and import .* --upsert-strategy merge$/m,
      );

      await office.put(
        "mended.csv",
        (await office.read("works.rejects.csv")).replace(/Bea(?=\r?\n$)/, "Ada"),
      );
      const skipped = await works("mended.csv");
      expect(skipped.out).toContain(
        "1 row of a rejects file has its record already: to import your corrections, import it with --upsert-strategy merge",
      );
      const merged = await works("mended.csv", "--upsert-strategy", "merge");
      expect(merged.out).toMatch(/^1 row in .*: 1 changed$/m);

      const lost = await works("works.csv", "--idno-strategy", "auto");
      expect(lost.err).toMatch(
        /^The rows that were imported without the missing links are in \S+works\.rejects\.csv, each with its line and the reason$/m,
      );
    },
  );
});
