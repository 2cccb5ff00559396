/** Which record a row means, or a name in it: by roles, authority numbers and keys in the mapping. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../src/caller.ts";
import { createPreview } from "../../src/imports/report/preview.ts";
import { previewText } from "../../src/imports/report/preview-text.ts";
import { createReport } from "../../src/imports/report/report.ts";
import { undoImport } from "../../src/imports/undo/undo.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { allInEnglish, inEnglish } from "../support/lane/in-english.ts";
import { isShort } from "../support/lane/lane.ts";
import { importRoom, refusal, TITLES } from "../support/museum/import-room.ts";
import { type Choices, emptied } from "../support/museum/importing.ts";
import { keeping } from "../support/museum/keeping.ts";
import { databases, quickest } from "../support/museum/museum.ts";

const split = { type: "split", delimiter: "|" };
const maker = (more: object) => ({
  ...TITLES,
  Maker: { target: "__relation:created_by:entity__", transforms: [split], ...more },
});
const PEOPLE = { No: "__idno__", Name: "name", ULAN: "ulan" };

describe.each(databases)("an import into the %s database", (database) => {
  const room = importRoom(database);
  const { run, titles, links, records } = room;

  const roles = async () => {
    const rows = await room.services.sql<{ text: string }[]>`
      select f.idno || ' ' || t.title || ': ' || coalesce(
        (select string_agg(e ->> 'value', ', ') from jsonb_array_elements(l.metadata -> 'role') e), '') as text
      from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id order by 1`;
    return rows.map(({ text }) => text);
  };

  describe("takes the role of each maker", () => {
    const mapping = maker({
      role: { column: "Role", transforms: [{ type: "vocab_map", map: { Maler: "painter" } }] },
    });

    test("from a column beside it, in the same order", async () => {
      const done = await run(
        "No,Title,Maker,Role\n1,A,Ada|Bea|Cleo,Maler||printer\n2,B,Ada,engraver\n3,C,Ada|Bea,painter\n4,D,Ada|Bea,a|b|c\n" +
          "5,E,Ada|Ada,painter|printer\n6,F,Ada,\n",
        mapping,
      );
      expect(done.lines[5]).toBe(
        'rejected: column "Maker": names 2, but "Role" has 3: there must be as many of each, in the same order',
      );
      expect(await roles()).toEqual([
        ...["1 Ada: painter", "1 Bea: ", "1 Cleo: printer", "2 Ada: engraver"],
        ...["3 Ada: painter", "3 Bea: painter", "5 Ada: painter, printer", "6 Ada: "],
      ]);
    });

    test("from a merged file, which an undo restores to the former role", async () => {
      await run("No,Title,Maker,Role\n1,A,Ada|Bea,painter|printer\n", mapping);
      const again = "No,Title,Maker,Role\n1,A,Ada|Bea,painter|engraver\n";
      const merged = await run(again, mapping, { upsertStrategy: "merge" });
      expect(merged.updated).toBe(1);
      expect(await roles()).toEqual(["1 Ada: painter", "1 Bea: engraver"]);
      expect((await run(again, mapping, { upsertStrategy: "merge" })).unchanged).toBe(1);
      await undoImport(room.services, OPERATOR, merged.importId, { dryRun: false });
      expect(await roles()).toEqual(["1 Ada: painter", "1 Bea: printer"]);
    });

    test("and how it is qualified: by a term in any language, or in words that no term says", async () => {
      const said = async () => {
        const rows = await room.services.sql<{ metadata: object; idno: string }[]>`
          select f.idno, l.metadata from relations l join records f on f.id = l.from_id
          order by f.idno, l.metadata::text collate "C"`;
        return rows.map(({ idno, metadata }) => [idno, metadata]);
      };
      const both = maker({ role: { column: "Role" }, qualifier: { column: "How" } });
      const list =
        "No,Title,Maker,Role,How\n1,A,Ada|Ada,,WERKSTATT von|\n2,B,Ada,painter,copy_after\n3,C,Ada|Bea,,Hand des@de\n" +
        "4,D,Ada,,possibly: wohl\n";
      const qualifier = (value: string) => ({ qualifier: [{ value }] });
      const hand = { qualifier_text: [{ value: "Hand des", lang: "de" }] };
      const expected = [
        ["1", qualifier("workshop_of")],
        ["1", {}],
        ["2", { ...qualifier("copy_after"), role: [{ value: "painter" }] }],
        ["3", hand],
        ["3", hand],
        ["4", { ...qualifier("possibly"), qualifier_text: [{ value: "wohl" }] }],
      ];
      await run(list, both);
      expect(await said()).toEqual(expected);
      for (const upsertStrategy of ["merge", "replace", "link"] as const) {
        const own = upsertStrategy === "link" ? { ...both, Title: undefined } : both;
        const mapping = JSON.parse(JSON.stringify(own));
        expect((await run(list, mapping, { upsertStrategy })).unchanged).toBe(4);
        // a list that does not tell qualifiers makes nobody the maker, and removes nobody
        const { qualifier: _, ...silent } = mapping.Maker;
        const done = await run(list, { ...mapping, Maker: silent }, { upsertStrategy });
        expect([upsertStrategy, done.unchanged, await said()]).toEqual([upsertStrategy, 4, expected]);
      }
      const changed = list
        .replace("painter,copy_after", "painter,")
        .replace("Ada|Ada,,WERKSTATT von|", "Ada,,atelier de");
      const merged = await run(changed, both, { upsertStrategy: "merge" });
      // an empty cell changes nothing in a merge
      expect([merged.updated, merged.unchanged]).toEqual([1, 3]);
      expect((await said()).slice(0, 2)).toEqual([["1", qualifier("workshop_of")], expected[2]]);
      await undoImport(room.services, OPERATOR, merged.importId, { dryRun: false });
      expect(await said()).toEqual(expected);
    });

    test("and shows it in a dry run, with the words that no term says", async () => {
      const both = maker({ role: { column: "Role" }, qualifier: { column: "How" } });
      const preview = createPreview({ kind: "object", unit: "row" });
      const report = createReport({ kind: "object", unit: "row", dryRun: true });
      const done = await run(
        "No,Title,Maker,Role,How\n1,A,Ada|Bea,,Werkstatt von|\n2,B,Ada|Ada,,Hand des@de|Hand des@de\n" +
          "3,C,Bea,,possibly: wohl\n4,D,Ada,painter,Hand des@de\n5,E,Ada,,workshop of\n,F,Ada,,Vetter des\n",
        both,
        { dryRun: true },
      );
      preview.take(done.outcomes);
      report.take(done.outcomes);
      const relation = "created_by → entity";
      const hand = { qualifier_text: [{ value: "Hand des", lang: "de" }] };
      const perhaps = { qualifier: [{ value: "possibly" }], qualifier_text: [{ value: "wohl" }] };
      expect(preview.json().attributions).toEqual([
        { relation, metadata: { qualifier: [{ value: "workshop_of" }] }, rows: 2, example: "Ada" },
        { relation, metadata: hand, rows: 2, example: "Ada" },
        { relation, metadata: perhaps, rows: 1, example: "Bea" },
      ]);
      const text = previewText(ENGLISH, preview.parts()).replace(/ {2,}/g, " ");
      expect(text).toContain("created_by (workshop_of) → Ada");
      expect(text).toContain("created_by → entity: Hand des@de 2 Ada");
      expect(report.json(done).qualifier_texts).toMatchObject([{ value: "Hand des", count: 2, line: 3 }]);
      const told = allInEnglish(report.lines(done)).join("\n");
      expect(told).toContain('they are kept as they are:\n  "Hand des" in 2 rows, the first in line 3');
      expect(told).not.toContain("Vetter");
    });

    test("and no qualifier where a link names no maker", async () => {
      const owner = {
        ...maker({}),
        Owner: { target: "__relation:owned_by:entity__", qualifier: "workshop_of" },
      };
      const done = await run("No,Title,Maker,Owner\n1,A,Ada,Bea\n2,B,Ada,\n", owner);
      expect([done.created, done.lines[2]]).toEqual([1, expect.stringContaining("do not name a maker")]);
    });

    describe("and none where its part of the cell is empty", () => {
      const said = maker({ role: { column: "Role" }, qualifier: { column: "As" } });
      type Cells = [makers: string, role?: string, as?: string];
      const file = (...[makers, role = "", as = ""]: Cells) =>
        `No,Title,Maker,Role,As\n1,A,${makers},${role},${as}\n`;
      /** The links of record 1: maker, roles and qualifier. */
      const makers = async () => {
        const rows = await room.services.sql<{ text: string }[]>`
          select concat_ws(' ', t.title, l.metadata #>> '{role,0,value}', l.metadata #>> '{qualifier,0,value}') as text
          from relations l join records t on t.id = l.to_id order by 1`;
        return rows.map(({ text }) => text);
      };

      test.each(["skip", "link", "merge", "replace"] as const)(
        "also beside a role of the same maker, in either order (%s)",
        async (upsertStrategy) => {
          const both = ["Ada", "Ada painter", "Bea"];
          const withAll = ["Ada", "Ada painter workshop_of", "Bea"];
          const { Title: _, ...linksOnly } = said;
          const mapping = upsertStrategy === "link" ? linksOnly : said;
          for (const [list, role, as, after] of [
            ["Ada|Ada|Bea", "|painter|", "", both],
            ["Bea|Ada|Ada", "|painter|", "", both],
            ["Ada|Bea|Ada", "||painter", "||workshop_of", withAll],
          ] as const) {
            await emptied(room.services.sql);
            if (upsertStrategy === "link") {
              await run("No,Name\nE1,Ada\nE2,Bea\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
              await run("No,Title\n1,A\n", TITLES);
            }
            for (const outcome of [upsertStrategy === "link" ? "updated" : "created", "unchanged"]) {
              const done = await run(file(list, role, as), mapping, { upsertStrategy });
              const expected = outcome === "unchanged" && upsertStrategy === "skip" ? "skipped" : outcome;
              expect([done.lines[2], await makers()]).toEqual([expected, after]);
            }
          }
        },
      );

      test.each([
        // replaced: what there is, the row, and what there is then
        ["removes roles", ["Ada|Bea", "painter|printer"], ["Ada|Bea"], ["Ada", "Bea"]],
        ["removes one role", ["Ada|Bea", "painter|printer"], ["Ada|Bea", "|printer"], ["Ada", "Bea printer"]],
        ["removes a link without a role", ["Ada|Ada", "|painter"], ["Ada", "painter"], ["Ada painter"]],
        ["removes a link with a role", ["Ada|Ada", "|painter"], ["Ada"], ["Ada"]],
        ["removes the role of one of two links", ["Ada|Ada", "|painter"], ["Ada|Ada"], ["Ada"]],
        [
          "removes a qualifier",
          ["Ada|Bea", "painter|", "workshop_of|copy_after"],
          ["Ada|Bea", "painter|", "|copy_after"],
          ["Ada painter", "Bea copy_after"],
        ],
        [
          "removes the role of a workshop",
          ["Ada|Ada", "painter|printer", "|workshop_of"],
          ["Ada|Ada", "painter|", "|workshop_of"],
          ["Ada painter", "Ada workshop_of"],
        ],
      ] as [string, Cells, Cells, string[]][])(
        "which replace takes as said: %s",
        async (_, before, row, after) => {
          await run(file(...before), said);
          const there = await makers();
          const replace = { upsertStrategy: "replace" } as const;
          const done = await run(file(...row), said, replace);
          expect([done.lines[2], await makers()]).toEqual(["updated", after]);
          expect((await run(file(...row), said, replace)).lines[2]).toBe("unchanged");
          await undoImport(room.services, OPERATOR, done.importId, { dryRun: false });
          expect(await makers()).toEqual(there);
        },
      );

      test("and leaves makers in their order, as does an undo", async () => {
        const inOrder = async () => {
          const rows = await room.services.sql<{ id: string; text: string }[]>`
            select l.id, concat_ws(' ', t.title, l.metadata #>> '{role,0,value}') as text
            from relations l join records t on t.id = l.to_id order by l.created_at, l.id`;
          return { ids: rows.map(({ id }) => id), makers: rows.map(({ text }) => text) };
        };
        const replace = { upsertStrategy: "replace" } as const;
        await run(file("Ada|Bea|Cy", "painter|printer|"), said);
        const before = await inOrder();
        expect(before.makers).toEqual(["Ada painter", "Bea printer", "Cy"]);
        const changed = await run(file("Ada|Bea|Cy", "|weaver|painter"), said, replace);
        expect(await inOrder()).toEqual({ ...before, makers: ["Ada", "Bea weaver", "Cy painter"] });
        const others = await run(file("Di|Bea", "|weaver"), said, replace);
        expect((await inOrder()).makers).toEqual(["Bea weaver", "Di"]);
        for (const { importId } of [others, changed])
          await undoImport(room.services, OPERATOR, importId, { dryRun: false });
        expect(await inOrder()).toEqual(before);
      });

      test.each([
        ["replace", "", "Ada painter"],
        ["replace", "copy_after", "Ada painter copy_after"],
        ["merge", "", "Ada painter workshop_of"],
        ["merge", "copy_after", "Ada painter copy_after"],
      ] as const)(
        "which %s with only a column of qualifiers does not say of roles (%j)",
        async (upsertStrategy, as, after) => {
          await run(file("Ada", "painter", "workshop_of"), said);
          const mapping = maker({ qualifier: { column: "As" } });
          await run(file("Ada", "", as), mapping, { upsertStrategy });
          expect(await makers()).toEqual([after]);
        },
      );

      test("which changes nothing for merge, and for replace without these columns", async () => {
        await run(file("Ada|Bea|Cy", "painter|printer|", "||workshop_of"), said);
        const there = ["Ada painter", "Bea printer", "Cy workshop_of"];
        for (const [mapping, upsertStrategy] of [
          [said, "merge"],
          [maker({}), "replace"],
        ] as const) {
          const done = await run(file("Ada|Bea|Cy"), mapping, { upsertStrategy });
          expect([done.lines[2], await makers()]).toEqual(["unchanged", there]);
        }
      });
    });

    test("from the mapping, the same for all, but not the name of a column by mistake", async () => {
      await run("No,Title,Maker\n1,A,Ada|Bea\n", maker({ role: "weaver" }));
      expect(await roles()).toEqual(["1 Ada: weaver", "1 Bea: weaver"]);
      const wrong = await refusal(run("No,Title,Maker,Role\n1,A,Ada,x\n", maker({ role: "Role" })));
      expect(inEnglish(wrong.errors[0]!.detail)).toContain('write {"column": "Role"}');
    });
  });

  test("creates records from names with the subtype in the mapping", async () => {
    const mapping = (subtype: string, authority?: object) => ({
      ...TITLES,
      Maker: { target: "__relation:created_by:entity__", subtype, ...authority },
    });
    await run("No,Title,Maker\n1,A,The Harbour Press\n", mapping("organisation"));
    const ulan = { authority: { field: "ulan", column: "ULAN" } };
    await run("No,Title,Maker,ULAN\n2,B,The Mill,500000009\n", mapping("organisation", ulan));
    expect((await records("entity")).map(({ subtype }) => subtype)).toEqual(["organisation", "organisation"]);
    const wrong = await refusal(run("No,Title,Maker\n3,C,X\n", mapping("organization")));
    expect(wrong.errors).toHaveLength(1);
    expect(inEnglish(wrong.errors[0]!.detail)).toContain('"organization" is not a valid entity_type');
  });

  test("shows in a dry run which record is found by a number or another spelling", async () => {
    await run("No,Name\nE1,Ada Holm\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    const preview = createPreview({ kind: "object", unit: "row" });
    const done = await run("No,Title,Maker\n1,A,E1|ada holm|Bea\n", maker({}), { dryRun: true });
    preview.take(done.outcomes);
    const shown = previewText(ENGLISH, preview.parts()).match(/created_by → .*/g)!;
    expect(shown.slice(0, 3).map((line) => line.replace(/ {2,}/, " "))).toEqual([
      "created_by → E1 (Ada Holm)",
      "created_by → ada holm (Ada Holm)",
      "created_by → Bea",
    ]);
  });

  test("tells namesakes apart by their authority numbers", async () => {
    await run("No,Name,ULAN\nE1,Jan Smith,500000001\nE2,Jan Smith,500000002\n", PEOPLE, { kind: "entity" });
    const mapping = maker({ authority: { field: "ulan", column: "ULAN" } });
    const done = await run(
      "No,Title,Maker,ULAN\n1,A,Jan Smith,500000002\n2,B,J. Smith|Ada,http://vocab.getty.edu/ulan/500000001|\n" +
        "3,C,Jan Smith,500000003\n4,D,Jan Smith,\n5,E,Ada,12\n",
      mapping,
    );
    expect(done.lines).toMatchObject({
      2: "created",
      3: "created",
      4: "created",
      5: expect.stringContaining('rejected: "Jan Smith" has several numbers of an authority file'),
      6: expect.stringContaining("is neither a valid ULAN number"),
    });
    const people = ["E1 Jan Smith", "E2 Jan Smith", "ENT-000001 Jan Smith", "ENT-000002 Ada"];
    expect(await titles("entity")).toEqual(people);
    const byName = maker({ authority: { field: "name", column: "Maker" } });
    const wrong = await refusal(run("No,Title,Maker\n1,A,B\n", byName));
    expect(inEnglish(wrong.errors[0]!.detail)).toContain("there are: gnd");
  });

  describe("decides for the whole file what a name with numbers means", () => {
    const authority = { field: "ulan", column: "ULAN" };
    const mapping = { ...TITLES, Maker: { target: "__relation:created_by:entity__", authority } };
    const row = (title: string, name: string, ulan: string) => `${title},${title},${name},${ulan}`;
    const ONE = "500000001";
    const TWO = "500000002";
    const all = [
      ...[row("A", "Nora Twin", ONE), row("B", "Nora Twin", TWO), row("C", "Nora Twin", "")],
      ...[row("D", "Ada Holm", "500000003"), row("E", "Ada Holm", ""), row("F", "Bea", "")],
      row("G", "NORA TWIN", ONE),
    ];
    /** What the rows become, without the numbers of records. */
    const outcome = async (rows: readonly string[], choices: Choices, known: string) => {
      await emptied(room.services.sql);
      await run(`Name,ULAN\n${known}`, { Name: "name", ULAN: "ulan" }, { kind: "entity" });
      const file = `No,Title,Maker,ULAN\n${rows.join("\n")}\n`;
      const first = await run(file, mapping, choices);
      const report = createReport({ kind: "object", unit: "row", dryRun: false });
      report.take(first.outcomes);
      const people = (await records("entity")).map(({ title, metadata }) => {
        const { ulan } = metadata as { ulan?: { value: string }[] };
        return `${title} ${ulan?.[0]?.value ?? ""}`.toLowerCase();
      });
      const made = (report.json(first).made as { entity?: number }).entity ?? 0;
      const again = await run(file, mapping, { ...choices, upsertStrategy: "merge" });
      expect(again).toMatchObject({ created: 0, updated: 0 });
      const refused = first.outcomes.flatMap(({ result, mapped }) =>
        result.outcome === "rejected" ? (mapped.idno ?? "") : [],
      );
      const linked = (await links()).map((each) => each.toLowerCase());
      return { people: people.sort(), made, links: linked, refused };
    };

    const strategies = ["skip", "merge", "replace"] as const;
    test.each(isShort ? [strategies[database === quickest ? 1 : 0]] : strategies)(
      "so that two numbers are two people, whoever is there, in any order (%s)",
      async (upsertStrategy) => {
        const order = fc.shuffledSubarray(all, { minLength: all.length });
        for (const known of ["", "Nora Twin,\n", "Ada Holm,\nNora Twin,\n"]) {
          const expected = await outcome(all, { upsertStrategy }, known);
          expect(expected.people.filter((each) => each.startsWith("nora twin 5"))).toHaveLength(2);
          expect(expected.refused).toEqual(["C"]);
          const before = known === "" ? 0 : known.split("\n").length - 1;
          expect(expected.made).toBe(expected.people.length - before);
          await fc.assert(
            fc.asyncProperty(order, fc.integer({ min: 1, max: 4 }), async (rows, batch) => {
              expect(await outcome(rows, { upsertStrategy, batch }, known)).toEqual(expected);
            }),
            { numRuns: 3, endOnFailure: true },
          );
        }
      },
    );

    test.each([true, false])(
      "and tells which record none of the numbers takes (dry run: %s)",
      async (dryRun) => {
        const there = "Name,ULAN\nNora Twin,\nNora Twin,500000007\nAda Holm,\n";
        await run(there, { Name: "name", ULAN: "ulan" }, { kind: "entity" });
        const file = ["1,A,Nora Twin,500000001", "2,B,Ada Holm,500000003", "3,C,Nora Twin,500000002"];
        const done = await run(`No,Title,Maker,ULAN\n${file.join("\n")}\n`, mapping, { dryRun, batch: 1 });
        const [nora] = await room.services.sql<{ id: string; idno: string }[]>`
        select id, idno from records where title = 'Nora Twin' order by id limit 1`;
        const report = createReport({ kind: "object", unit: "row", dryRun });
        report.take(done.outcomes);
        const numbers = [1, 2].map((n) => `http://vocab.getty.edu/ulan/50000000${n}`);
        const one = { record_type: "entity", id: nora!.id, idno: nora!.idno, title: "Nora Twin", numbers };
        expect(report.json(done).passed_over).toEqual([one]);
        expect(allInEnglish(report.lines(done)).join("\n")).toContain(
          "1 record has no authority number. The file has several numbers for its name, so no row was matched to it. " +
            `If one of these is right, enter it:\n  the person or organisation "Nora Twin" (${nora!.idno}): ${numbers.join(", ")}\n`,
        );
      },
    );

    test("and the mapping may leave such a name out", async () => {
      const lenient = { ...mapping, Maker: { ...mapping.Maker, if_several: "leave_out" } };
      const done = await run(`No,Title,Maker,ULAN\n${all.join("\n")}\n`, lenient);
      expect(done).toMatchObject({ created: 7, rejected: 0, unlinked: 1 });
      expect(done.without[4]).toContain('"Nora Twin" has several numbers');
    });
  });

  test("reports a number that belongs to a record of another name, and refuses one number for two names", async () => {
    await run("No,Name,ULAN\nE1,Patrick Hughes,500000001\n", PEOPLE, { kind: "entity" });
    const mapping = maker({ authority: { field: "ulan", column: "ULAN" } });
    const done = await run(
      "No,Title,Maker,ULAN\n1,A,Paul Hammond,500000001\n2,B,Patrick Hughes,500000001\n3,C,Ada|Bea,500000002\n",
      mapping,
    );
    expect(await links()).toEqual(["1 created_by Patrick Hughes", "2 created_by Patrick Hughes"]);
    const report = createReport({ kind: "object", unit: "row", dryRun: false });
    report.take(done.outcomes);
    const names = [{ lines: [2], value: "Paul Hammond", title: "Patrick Hughes" }];
    expect(report.json(done).joined).toMatchObject({ rows: 1, names });
    expect(done.lines[4]).toContain('names 2, but "ULAN" has 1');
  });

  test("creates no record from a name with an authority number if the mapping forbids it", async () => {
    const mapping = maker({ create: false, authority: { field: "ulan", column: "ULAN" } });
    const done = await run("No,Title,Maker,ULAN\n1,A,Jan Smith,500000002\n", mapping);
    expect(done.without[2]).toContain('there is no person or organisation "Jan Smith"');
    expect(await titles("entity")).toEqual([]);
  });

  test("leaves out the link to one of several, or takes the oldest, as the mapping says", async () => {
    await run("No,Name\nE1,Ada\nE2,ADA\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
    for (const dryRun of [true, false]) {
      const done = await run("No,Title,Maker\n1,A,ada|Bea\n", maker({ if_several: "leave_out" }), { dryRun });
      expect(done).toMatchObject({ created: 1, rejected: 0, unlinked: 1 });
      expect(done.without[2]).toContain(
        '"ada" may be any of 2 people and organisations (E1 "Ada", E2 "ADA")',
      );
      expect(done.rejects).toContain("E2");
    }
    await run("No,Title,Maker\n2,B,ada\n", maker({ if_several: "oldest" }));
    expect(await links()).toEqual(["1 created_by Bea", "2 created_by Ada"]);
  });

  describe("of a list without numbers", () => {
    const keyed = {
      Name: { target: "name", key: true },
      ULAN: { target: "ulan", key: true },
      Note: "biography",
    };
    const merge = { kind: "entity", upsertStrategy: "merge" } as const;

    test("finds records by a key: their name, or an authority number", async () => {
      await run("No,Name,ULAN\nE1,Dvořák,\nE2,Ada,500000002\nE3,Bea,500000004\n", PEOPLE, { kind: "entity" });
      const list =
        "Name,ULAN,Note\nDVOŘÁK,,one\nAda L.,http://vocab.getty.edu/ulan/500000002,two\nBea,500000003,three\nNew,,four\nnew,,five\n";
      for (const dryRun of [true, false]) {
        const done = await run(list, keyed, { ...merge, dryRun });
        expect(done).toMatchObject({ created: 2, updated: 2, rejected: 1, warnings: [] });
        expect(done.lines[6]).toContain("has the number or key of line 5, but another value");
      }
      expect((await records("entity")).map(({ idno, metadata }) => [idno, metadata])).toMatchObject([
        ["E1", { name: [{ value: "DVOŘÁK" }], biography: [{ value: "one" }] }],
        ["E2", { name: [{ value: "Ada L." }] }],
        ["E3", { name: [{ value: "Bea" }], ulan: [{ value: "500000004" }] }],
        ["ENT-000001", { name: [{ value: "Bea" }], ulan: [{ value: "500000003" }] }],
        ["ENT-000002", { name: [{ value: "New" }], biography: [{ value: "four" }] }],
      ]);
      const again = await run(list.replace("one", "six"), keyed, merge);
      expect(again).toMatchObject({ created: 0, updated: 1, unchanged: 3, rejected: 1 });
    });

    test("refuses a row whose key belongs to two records, and names them", async () => {
      await run("No,Name\nE1,Ada\nE2,ADA\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      const done = await run("Name\nada\nBea\n", { Name: { target: "name", key: true } }, merge);
      expect(done.lines).toEqual({
        2: 'rejected: "ada" may be any of 2 people and organisations (E1 "Ada", E2 "ADA"); give its number, or another "key" before name',
        3: "created",
      });
    });

    test("finds objects by any field as a key", async () => {
      await run("No,Title,Old\n1,A,K 7\n2,B,K 8\n", { ...TITLES, Old: "accession_number" });
      const mapping = { Old: { target: "accession_number", key: true }, Title: "title" };
      const done = await run("Old,Title\nK 8,Bb\nK 9,C\n", mapping, { upsertStrategy: "merge" });
      expect(done).toMatchObject({ created: 1, updated: 1 });
      expect(await titles()).toEqual(["1 A", "2 Bb", "OBJ-000001 C"]);
    });

    test("warns that a second import would double a list without a key", async () => {
      const done = await run("Name\nAda\n", { Name: "name" }, { ...merge, dryRun: true });
      expect(done.warnings).toEqual([expect.stringContaining('say "key": true in the mapping')]);
      expect((await run("Name\nAda\n", { Name: "name" }, { kind: "entity" })).warnings).toEqual([]);
    });
  });

  describe("of a table of links", () => {
    const table = { Object: "__idno__", Show: "__relation:exhibited_in:occurrence__" };
    const link = { upsertStrategy: "link" } as const;
    const who = {
      No: "__idno__",
      Who: { target: "__relation:created_by:entity__", role: { column: "As" } },
    };

    test("adds links between existing records, and creates none", async () => {
      await run("No,Title\n1,A\n2,B\n", TITLES);
      await run("No,Title\nX1,Show 1\nX2,Show 2\n", TITLES, { kind: "occurrence" });
      await run("Object,Show\n1,X1\n", table, link);
      const before = await records();
      const done = await run("Object,Show\n1,X2\n2,Show 1\n3,X1\n2,X9\n1,X2\n", table, link);
      expect(done.lines).toEqual({
        2: "updated",
        3: "updated",
        4: 'rejected: there is no object "3"',
        5: "unchanged",
        6: "unchanged",
      });
      expect(done.without[5]).toContain('there is no event "X9"');
      const shown = ["1 exhibited_in Show 1", "1 exhibited_in Show 2", "2 exhibited_in Show 1"];
      expect(await links()).toEqual(shown);
      const values = (await records()).map(({ metadata }) => metadata);
      expect(values).toEqual(before.map(({ metadata }) => metadata));
      expect(await titles("occurrence")).toHaveLength(2);
    });

    test("adds roles to existing links", async () => {
      await run("No,Name\nE1,Ada\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      await run("No,Title,Maker\n1,A,E1\n", maker({ role: "painter" }));
      await run("No,Who,As\n1,E1,printer\n", who, link);
      expect(await roles()).toEqual(["1 Ada: painter, printer"]);
    });

    test("adds a role beside several links of one pair, and an undo removes only that role", async () => {
      await run("No,Name\nE1,Ada\n", { No: "__idno__", Name: "name" }, { kind: "entity" });
      await run("No,Title,Maker\n1,A,E1\n", maker({ role: "painter" }));
      const { sql } = room.services;
      const [painter] = await sql<{ id: string; from_id: string; to_id: string }[]>`select * from relations`;
      const { id, from_id, to_id } = painter!;
      await sql`update relations set metadata = metadata || '{"date": [{"value": "1887"}]}' where id = ${id}`;
      const framer = { role: [{ value: "frame maker" }] };
      await keeping(room.services).link(from_id, "created_by", "entity", to_id, framer);
      const roleValues = async () => {
        const rows = await sql<{ metadata: object }[]>`
          select metadata from relations order by metadata ->> 'role'`;
        return rows.map(({ metadata }) => metadata);
      };
      const before = await roleValues();
      const same = await run("No,Who,As\n1,E1,painter\n", who, link);
      expect([same.unchanged, await roleValues()]).toEqual([1, before]);
      const done = await run("No,Who,As\n1,E1,printer\n", who, link);
      expect(done.updated).toBe(1);
      expect(await roleValues()).toEqual([...before, { role: [{ value: "printer" }] }]);
      await undoImport(room.services, OPERATOR, done.importId, { dryRun: false });
      expect(await roleValues()).toEqual(before);
    });

    // in one batch and in one batch for each row
    test.each([
      ["link", 500],
      ["link", 1],
      ["merge", 500],
      ["merge", 1],
    ] as const)(
      "keeps every role of a pair, whichever end has the link (%s, %i rows)",
      async (upsertStrategy, batch) => {
        await run("No,Title\n1,A\n2,B\n3,C\n", TITLES);
        const mapping = {
          No: "__idno__",
          With: { target: "__relation:related_to:object__", role: { column: "As" } },
        };
        const written = async () => {
          const rows = await room.services.sql<{ ends: string; role: string }[]>`
          select least(f.idno, t.idno) || greatest(f.idno, t.idno) as ends, e ->> 'value' as role
          from relations l join records f on f.id = l.from_id join records t on t.id = l.to_id,
            jsonb_array_elements(l.metadata -> 'role') e`;
          return rows.map(({ ends, role }) => `${ends} ${role}`);
        };
        let given: string[] = [];
        for (const file of [
          "1,2,|2,1,pendant|3,1,lid",
          "1,2,copy|1,3,|1,3,box|2,3,",
          "2,1,model|3,2,frame|2,3,case|1,2,",
          "2,1,copy|3,1,lid|1,3,hinge",
        ]) {
          const isFirst = (row: string, at: number, all: string[]) =>
            all.findIndex((one) => one.split(",")[0] === row.split(",")[0]) === at;
          const rows = file.split("|").filter((...row) => upsertStrategy === "link" || isFirst(...row));
          const done = await run(`No,With,As\n${rows.join("\n")}\n`, mapping, { upsertStrategy, batch });
          expect(done.rejected).toBe(0);
          // a merge replaces what was there before the list
          if (upsertStrategy === "merge") given = [];
          for (const [one, other, role] of rows.map((row) => row.split(","))) {
            if (role) given.push(`${[one, other].sort().join("")} ${role}`);
          }
          expect(await written()).toEqual(expect.arrayContaining(given));
        }
        const [{ bare }] = await room.services.sql<[{ bare: number }]>`
        select count(*)::int as bare from relations where metadata = '{}'`;
        expect(bare).toBe(0);
      },
    );

    test("refuses other columns", async () => {
      const wrong = await refusal(run("Object,Show,T\n1,X1,t\n", { ...table, T: "title" }, link));
      expect(inEnglish(wrong.errors[0]!.detail)).toBe(
        "is not written by the upsert strategy link, which writes links only",
      );
      const unnamed = await refusal(run("Show\nX1\n", { Show: table.Show }, link));
      expect(unnamed.message).toContain("needs a column that is mapped to __idno__, or a key");
    });
  });
});
