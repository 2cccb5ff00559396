/** Names in a list: which of them mean the same, which records links create, and which values are numbers. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReport } from "../../src/imports/report/report.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { nameKey, similarSortKey, sortKey } from "../../src/text.ts";
import { allInEnglish } from "../support/lane/in-english.ts";
import { inLong, isShort } from "../support/lane/lane.ts";
import { importRoom, MAKERS, refusal, TITLES } from "../support/museum/import-room.ts";
import { emptied, type Imported } from "../support/museum/importing.ts";
import { quickest } from "../support/museum/museum.ts";

function reportOf(done: Imported, dryRun = false) {
  const report = createReport({ kind: "object", unit: "row", dryRun });
  report.take(done.outcomes);
  report.unlinked(done.lacking);
  return {
    lead: () => report.lead(done).map((line) => say(ENGLISH, line)),
    text: allInEnglish(report.lines(done)).join("\n"),
    json: report.json(done),
  };
}

const PEOPLE = { No: "__idno__", Name: "name" };
const ONLY_KNOWN = { ...TITLES, Maker: { target: "__relation:created_by:entity__", create: false } };

describe("an import", () => {
  const room = importRoom(quickest);
  const { run, titles, links } = room;

  test.each([
    ["Hindi", ["राम", "रमा", "रामी"]],
    ["Japanese", ["カトウ", "ガトウ"]],
    ["Thai", ["มา", "มี"]],
  ])("keeps names in %s apart that differ only in their marks", async (_, names) => {
    const rows = names.map((name, n) => `${n},T,${name}`).join("\n");
    await run(`No,Title,Maker\n${rows}\n`, MAKERS);
    expect(await links()).toEqual(names.map((name, n) => `${n} created_by ${name}`));
    // also if the records exist
    await run(`No,Title,Maker\n${rows.replaceAll("T", "U")}\n`, MAKERS, { upsertStrategy: "merge" });
    expect(await titles("entity")).toHaveLength(names.length);
  });

  const SIMILAR = {
    ...TITLES,
    Maker: { target: "__relation:created_by:entity__", match: "similar" },
  };

  test("takes European names with and without accents for the same only if the mapping asks for it, and reports the rows", async () => {
    await run("No,Name\nE1,Dvořák\nE2,Άννα\n", PEOPLE, { kind: "entity" });
    const file = "No,Title,Maker\n1,A,Dvorak\n2,B,ANNA?\n3,C,Dvořák\n4,D,Dvorak\n5,E,E1\n6,F,Αννα\n";
    const done = await run(file, SIMILAR);
    expect(await titles("entity")).toEqual(["E1 Dvořák", "E2 Άννα", "ENT-000001 ANNA?"]);
    const { text, json } = reportOf(done);
    expect(text).toContain(
      "3 rows with a name that was taken for a record of another name or spelling:\n" +
        '  lines 2, 5: "Dvorak" is the person or organisation "Dvořák"\n' +
        '  line 7: "Αννα" is the person or organisation "Άννα"',
    );
    expect(json).toMatchObject({
      joined: { rows: 3, names: [{ lines: [2, 5] }, { lines: [7] }] },
      similar_names: { rows: 0 },
    });
  });

  /** Names that are the same, and names that are only similar. */
  const SAME = [
    ["Jan Müller", "JAN MÜLLER", " jan  müller ", "Jan\u00a0Müller", "Jan Mu\u0308ller"],
    ["O'Neill – Söhne", "O’Neill - Söhne", "O`NEILL — SÖHNE", "o‘neill ‑ söhne"],
    ['"Zur Post"', "“Zur Post”", "„zur post“", "«Zur\u2009Post»"],
    ["Jan Muller", "jan muller"],
    ["Genoa"],
    ["Genoa?", "GENOA?"],
    ["(Genoa)"],
    ["Genoa/"],
    ["Weiß"],
    ["Weiss", "WEISS"],
  ];

  /** Imports the names in random orders; expects the same records each time: for each one, the rows that are linked to it. */
  async function inAnyOrder(known: string, mapping: object, expected: readonly string[], runs: number) {
    const all = SAME.flatMap((names, group) => names.map((name, n) => ({ name, id: `${group}.${n}` })));
    const order = fc.shuffledSubarray(all, { minLength: all.length });
    const size = fc.integer({ min: 1, max: 9 });
    const check = fc.asyncProperty(order, size, async (rows, batch) => {
      await emptied(room.services.sql);
      await run(`No,Name\n${known}`, PEOPLE, { kind: "entity" });
      const lines = rows.map(({ name, id }) => `${id},T,"${name.replaceAll('"', '""')}"`);
      const file = `No,Title,Maker\n${lines.join("\n")}\n`;
      const done = await run(file, { ...mapping }, { batch });
      expect(done).toMatchObject({ created: all.length, rejected: 0, unlinked: 0 });
      const again = await run(file, { ...mapping }, { batch, upsertStrategy: "merge" });
      expect(again).toMatchObject({ created: 0, updated: 0 });
      const found = await room.services.sql<{ rows: string }[]>`
        select string_agg(f.idno, ' ' order by f.idno) as rows
        from relations l join records f on f.id = l.from_id group by l.to_id order by 1`;
      expect(found.map((record) => record.rows)).toEqual(expected);
    });
    await fc.assert(check, { numRuns: runs, endOnFailure: true });
  }

  const rowsOf = (...groups: number[]) =>
    groups.flatMap((group) => SAME[group]!.map((_, n) => `${group}.${n}`)).join(" ");

  test("takes names for the same that differ in case, blanks, apostrophes, quotes, dashes and normalisation only, in any order", () =>
    inAnyOrder(
      "",
      MAKERS,
      SAME.map((_, group) => rowsOf(group)),
      isShort ? 2 : 12,
    ));

  test("links the same rows in any order if it takes similar names, too", () =>
    inAnyOrder(
      "E1,Weiss\n",
      SIMILAR,
      [rowsOf(0, 3), rowsOf(1), rowsOf(2), rowsOf(4, 5, 6, 7), rowsOf(8, 9)],
      isShort ? 1 : 6,
    ));

  test("creates a record of its own for a name that is only similar, and lists every such row", async () => {
    await run("No,Name\nE1,Jan Müller\nE2,Genoa\n", PEOPLE, { kind: "entity" });
    const many = Array.from({ length: 60 }, (_, n) => `M${n},T,Zoë ${n % 30}\nN${n},T,Zoe ${n % 30}`);
    const file = `No,Title,Maker\n1,A,Jan Muller\n2,B,Genoa?\n3,C,jan müller\n4,D,Jan Muller\n${many.join("\n")}\n`;
    for (const dryRun of [true, false]) {
      const { text, json } = reportOf(await run(file, MAKERS, { dryRun, batch: 7 }), dryRun);
      expect(text).toContain("63 rows with a name that is only similar to another one");
      expect(text).toContain(
        '\n  lines 2, 5: "Jan Muller" is similar to the person or organisation "Jan Müller" (E1)\n',
      );
      expect(text).toContain('\n  line 3: "Genoa?" is similar to the person or organisation "Genoa" (E2)\n');
      for (let n = 0; n < 30; n++)
        expect(text).toContain(`  lines ${7 + 2 * n}, ${67 + 2 * n}: "Zoe ${n}" is similar to `);
      expect(text).not.toContain("more");
      expect(json.joined).toEqual({ rows: 0, names: [] });
    }
    const made = await titles("entity");
    expect(made).toHaveLength(64);
    expect(made).toEqual(expect.arrayContaining([expect.stringMatching(/ Genoa\?$/)]));
    expect(await links()).toEqual(
      expect.arrayContaining([
        "1 created_by Jan Muller",
        "3 created_by Jan Müller",
        "4 created_by Jan Muller",
      ]),
    );
    // the same file again has nothing to report
    const again = reportOf(await run(file, MAKERS, { upsertStrategy: "merge" }));
    expect(again.json).toMatchObject({ joined: { rows: 0 }, similar_names: { rows: 0 } });
  });

  test("lists similar names for which it may create no record, and none that another row creates", async () => {
    await run("No,Name\nE1,Dvořák\n", PEOPLE, { kind: "entity" });
    const mapping = { ...ONLY_KNOWN, Firm: "__relation:depicts:entity__" };
    const file = "No,Title,Maker,Firm\n1,A,Dvorak,\n2,B,Zoë,\n3,C,Zoe,\n4,D,,Zoë\n5,E,Dvorak,\n";
    for (const dryRun of [true, false]) {
      const done = await run(file, mapping, { dryRun, batch: 2 });
      expect(Object.keys(done.without)).toEqual(["2", "4", "6"]);
      const { json, text } = reportOf(done, dryRun);
      expect(json.similar_names).toMatchObject({
        rows: 3,
        names: [
          { value: "Dvorak", title: "Dvořák", idno: "E1", lines: [2, 6] },
          { value: "Zoe", title: "Zoë", lines: [4] },
        ],
      });
      expect(text).toContain('lines 2, 6: "Dvorak" is similar to the person or organisation "Dvořák" (E1)');
    }
    expect(await titles("entity")).toEqual(["E1 Dvořák", "ENT-000001 Zoë"]);
  });

  test("takes letters for similar that a typewriter writes as two, with the database of one mind", async () => {
    const { sql } = room.services;
    const written = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa", æ: "ae", œ: "oe", ß: "ss" } as const;
    const special = fc.constantFrom(...(Object.keys(written) as (keyof typeof written)[]));
    const letter = fc.oneof(special, fc.constantFrom(..."bdklmnrst"), fc.constantFrom(..."aeiou '-4"));
    const name = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => {
      // two vowels in a row are only those of one letter
      const isVowel = (each = "") => /[aeiouäöüøåæœ]/.test(each);
      const parts = letters.filter((each, at) => !isVowel(each) || !isVowel(letters[at - 1]));
      return { plain: parts.join(""), typed: parts.map((each) => written[each as "ä"] ?? each).join("") };
    });
    const names = fc.sample(name, { numRuns: 300, seed: 38 });
    const keys = names.map(({ plain }) => similarSortKey(plain));
    for (const { plain, typed } of names) {
      const same = [plain, typed.toUpperCase()].map((each) => nameKey(each, "similar"));
      expect([plain, same[0]]).toEqual([plain, same[1]]);
      expect(similarSortKey(plain)).toBe(similarSortKey(typed));
    }
    const rows = await sql<{ key: string }[]>`
      select similar_sort_key(x) as key from unnest(${names.map(({ plain }) => sortKey(plain))}::text[]) with ordinality u(x, n)
      order by n`;
    expect(rows.map(({ key }) => key)).toEqual(keys);
    for (const [one, other] of [
      ["Bauer", "Baur"],
      ["Feuer", "Feur"],
      ["Duque", "Duqu"],
      ["Müller", "Miller"],
    ])
      expect(nameKey(one!, "similar")).not.toBe(nameKey(other!, "similar"));
  });

  test("lists and links names that differ in such letters, and counts a row once that has several", async () => {
    await run("No,Name\nE1,Jörg Müßig\nE2,Søren Ågård\n", PEOPLE, { kind: "entity" });
    const mapping = { ...ONLY_KNOWN, Firm: "__relation:depicts:entity__" };
    const file =
      "No,Title,Maker,Firm\n1,A,Joerg Muessig,Soeren Aagaard\n2,B,Jorg Mussig,\n3,C,,Soren Agard\n4,D,Jörg Müßig,\n";
    for (const dryRun of [true, false]) {
      const { json, text } = reportOf(await run(file, mapping, { dryRun, batch: 2 }), dryRun);
      const { rows, names } = json.similar_names as {
        rows: number;
        names: { value: string; title: string; lines: number[] }[];
      };
      const listed = names.map(({ value, title, lines }) => `${value} ~ ${title}: ${lines}`);
      expect([rows, ...listed.sort()]).toEqual([
        3,
        "Joerg Muessig ~ Jörg Müßig: 2",
        "Jorg Mussig ~ Jörg Müßig: 3",
        "Soeren Aagaard ~ Søren Ågård: 2",
        "Soren Agard ~ Søren Ågård: 4",
      ]);
      expect(text).toContain("3 rows with a name that is only similar");
      expect(text).not.toContain("more");
    }
    await emptied(room.services.sql);
    await run("No,Name\nE1,Jörg Müßig\n", PEOPLE, { kind: "entity" });
    expect(await run("No,Title,Maker\n1,A,Joerg Muessig\n2,B,Jorg Mussig\n", SIMILAR)).toMatchObject({
      unlinked: 0,
    });
    expect(await links()).toEqual(["1 created_by Jörg Müßig", "2 created_by Jörg Müßig"]);
  });

  test("finds a row of its own file by exactly its name, or by a similar one if the mapping says so", async () => {
    const whole = (more: object) => ({
      ...TITLES,
      Whole: { target: "__relation:part_of:object__", ...more },
    });
    const file = "No,Title,Whole\n1,Lid,kästen\n2,Kästen,\n3,Lock,Kasten\n";
    for (const dryRun of [true, false])
      expect(await run(file, whole({ match: "similar", create: false }), { dryRun, batch: 1 })).toMatchObject(
        {
          without: {},
        },
      );
    expect(await links()).toEqual(["1 part_of Kästen", "3 part_of Kästen"]);
    await emptied(room.services.sql);
    for (const dryRun of [true, false]) {
      const done = await run(file, whole({ create: false }), { dryRun, batch: 1 });
      expect(done.without).toEqual({ 4: expect.stringContaining('there is no object "Kasten"') });
    }
    expect(await links()).toEqual(["1 part_of Kästen"]);
  });

  test("lists a name that is similar to the title of another row, before or after it", async () => {
    const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
    const done = await run("No,Title,Whole\n1,Kästen,\n2,Lid,Kasten\n3,Lock,Türe\n4,Ture,\n", mapping, {
      batch: 2,
    });
    expect(done.created).toBe(4);
    expect(reportOf(done).json.similar_names).toMatchObject({
      rows: 2,
      names: [
        { value: "Kasten", title: "Kästen", idno: "1", lines: [3] },
        { value: "Türe", title: "Ture", idno: "4", lines: [4] },
      ],
    });
  });

  test("refuses two rules for the names of one kind of record", async () => {
    const problem = await refusal(
      run("No,A,B\n1,x,y\n", {
        No: "__idno__",
        A: "__relation:created_by:entity__",
        B: { target: "__relation:depicts:entity__", match: "similar" },
      }),
    );
    expect(problem.errors).toMatchObject([
      { pointer: "/B/match", detail: { key: "fault.mapping.mixed_match", values: { column: "A" } } },
    ]);
    const wrong = await refusal(run("No,A\n1,x\n", { ...TITLES, A: { target: "title", match: "similar" } }));
    expect(wrong.message).toContain("/A/match is only for a relation");
    const unknown = { ...TITLES, A: { target: "__relation:depicts:entity__", match: "fuzzy" } };
    expect((await refusal(run("No,A\n1,x\n", unknown))).errors).toMatchObject([{ pointer: "/A/match" }]);
  });

  test("finds a row of its own file by a name with vowel marks, and by no similar name", async () => {
    const mapping = { ...TITLES, Whole: "__relation:part_of:object__" };
    const done = await run("No,Title,Whole\n1,Cup,राम\n2,राम,\n3,रमा,\n", mapping);
    expect(done).toMatchObject({ created: 3, unlinked: 0 });
    expect(await links()).toEqual(["1 part_of राम"]);
  });

  inLong(test)("says first how many records its links would create, or have created", async () => {
    const file = `No,Title,Maker\n${Array.from({ length: 900 }, (_, n) => `${n},T,${n % 2 ? "Zoë" : "ZOË"}`).join("\n")}\n`;
    const dry = reportOf(await run(file, MAKERS, { dryRun: true }), true);
    expect(dry.lead()).toEqual([
      '1 person or organisation would be created because of names in the rows; "create": false in the mapping links only to what is there',
    ]);
    expect(Object.keys(dry.json).slice(0, 2)).toEqual(["dry_run", "made"]);
    expect(dry.json.made).toEqual({ entity: 1 });
    const done = reportOf(await run(file, MAKERS));
    expect(done.text).toMatch(/^1 person or organisation created because of names in the rows\n900 rows in /);
  });

  inLong(test)(
    "links only to existing records on request, reports the other names, and writes their rows to the rejects",
    async () => {
      await run("No,Name\nE1,Ada\n", PEOPLE, { kind: "entity" });
      const file = "No,Title,Maker\n1,A,Ada\n2,B,Bea\n3,C,E1\n";
      const reason =
        'there is no person or organisation "Bea", which it names; the row is imported without it';
      const dry = await run(file, ONLY_KNOWN, { dryRun: true });
      expect(dry.without).toEqual({ 3: expect.stringContaining(reason) });
      expect(reportOf(dry, true).lead()).toEqual([]);
      const done = await run(file, ONLY_KNOWN);
      expect(done).toMatchObject({
        created: 3,
        unlinked: 1,
        without: { 3: expect.stringContaining(reason) },
      });
      expect(await titles("entity")).toEqual(["E1 Ada"]);
      expect(await links()).toEqual(["1 created_by Ada", "3 created_by Ada"]);
      await run("No,Name\nE2,Bea\n", PEOPLE, { kind: "entity" });
      expect(await run(done.rejects, ONLY_KNOWN, { upsertStrategy: "merge" })).toMatchObject({ unlinked: 0 });
      expect(await links()).toContain("2 created_by Bea");
    },
  );

  test("writes a row with two missing links to the rejects once, with both reasons", async () => {
    await run("No,Name\nE1,Ada\nE2,ADA\n", PEOPLE, { kind: "entity" });
    const mapping = {
      ...TITLES,
      Maker: { target: "__relation:created_by:entity__", if_several: "leave_out" },
      Sitter: { target: "__relation:depicts:entity__", create: false },
    };
    for (const dryRun of [true, false]) {
      const done = await run("No,Title,Maker,Sitter\n1,A,ada,Bea\n", mapping, { dryRun });
      expect(done).toMatchObject({ created: 1, unlinked: 1 });
      expect(done.without[2]).toMatch(
        /^"ada" may be any of 2 people and organisations .*; there is no person or organisation "Bea"/,
      );
      expect(done.rejects.split("\r\n")).toHaveLength(3);
    }
  });

  test("reports a link that is left out because two later rows have its name", async () => {
    const mapping = { ...TITLES, Whole: { target: "__relation:part_of:object__", if_several: "leave_out" } };
    const file = "No,Title,Whole\n1,Lid,box\n2,Box,\n3,BOX,\n";
    const done = await run(file, mapping, { batch: 1 });
    expect(done).toMatchObject({ created: 3, unlinked: 1 });
    expect(done.without[2]).toContain('"box" may be any of 2 objects');
  });

  test("advises to import a row again only if the row finds its record", async () => {
    const { No: _, ...unnumbered } = ONLY_KNOWN;
    const keyed = { ...unnumbered, Title: { target: "title", key: true } };
    for (const dryRun of [true, false]) {
      const lost = await run("Title,Maker\nA,Bea\n", unnumbered, { dryRun });
      expect(lost.without[2]).toContain(
        "correct its record, because importing a row again that has no number and no key",
      );
      const found = await run("Title,Maker\nB,Bea\n", keyed, { dryRun });
      expect(found.without[2]).toContain("import the row again, with the upsert strategy merge");
    }
  });

  inLong(test)("finds records that another column of the file creates, also in a dry run", async () => {
    const mapping = {
      ...ONLY_KNOWN,
      Firm: "__relation:depicts:entity__",
      Maker: { target: "__relation:created_by:entity__", create: false },
    };
    const file = "No,Title,Maker,Firm\n1,A,Bea,\n2,B,Cleo,bea\n";
    for (const dryRun of [true, false])
      expect(Object.keys((await run(file, mapping, { dryRun })).without)).toEqual(["3"]);
    expect(await titles("entity")).toEqual(["ENT-000001 bea"]);
  });

  test("merges makers like their field: one that is dropped from the row is dropped from the record", async () => {
    const both = {
      ...TITLES,
      Maker: [
        { target: "__relation:created_by:entity__", transforms: [{ type: "split", delimiter: "|" }] },
        { target: "creator_text", transforms: [{ type: "split", delimiter: "|" }] },
      ],
      Place: "__relation:depicts:place__",
    };
    await run("No,Title,Maker,Place\n1,A,Ada|Bea,Bergen\n2,B,Ada,Oslo\n", both);
    await run("No,Title,Maker,Place\n1,A,Bea,\n2,B,,\n", both, { upsertStrategy: "merge" });
    expect(await links()).toEqual([
      "1 created_by Bea",
      "1 depicts Bergen",
      "2 created_by Ada",
      "2 depicts Oslo",
    ]);
  });

  inLong(test)("keeps the present maker if the maker in the row does not exist", async () => {
    await run("No,Title,Maker\n1,A,Ada\n", MAKERS);
    const done = await run("No,Title,Maker\n1,A,Bea\n", ONLY_KNOWN, { upsertStrategy: "merge" });
    expect(done.unlinked).toBe(1);
    expect(await links()).toEqual(["1 created_by Ada"]);
  });

  test("counts and shows values that a regex_extract does not match", async () => {
    const mapping = {
      ...TITLES,
      Size: [
        { target: "dimensions", transforms: [{ type: "regex_extract", pattern: "^\\d+ cm$" }] },
        { target: "inscription", transforms: [{ type: "regex_extract", pattern: "^c.*" }] },
      ],
    };
    const { text, json } = reportOf(
      await run("No,Title,Size\n1,A,12 cm\n2,B,circa 12\n3,C,large\n4,D,\n", mapping),
    );
    expect(text).toContain(
      "Values were left out because a regex_extract does not match them, or a convert finds no number:\n" +
        '  Size → inscription: 2 (1 in another field), such as "large" in line 4\n' +
        '  Size → dimensions: 2 (1 in another field), such as "large" in line 4',
    );
    expect(json.unmatched).toMatchObject([{ count: 2 }, { count: 2, kept: 1 }]);
  });

  test("refuses `create` in a mapping without a link", async () => {
    const problem = await refusal(run("No\n1\n", { No: { target: "__idno__", create: false } }));
    expect(problem.message).toContain("/No/create is only for a relation, and __idno__ is not one");
  });
});
