/** The commands schema-export and schema-apply: moving a configuration from one installation to another. */
import { describe, expect, it } from "vitest";
import { quickest } from "../support/museum/museum.ts";
import { officeHere } from "../support/programs/command.ts";

type Named = { name: string; record_type?: string } & Record<string, unknown>;
type File = Record<"fields" | "vocabularies" | "roles" | "subtypes" | "relation_types", Named[]> & {
  settings: Record<string, unknown>;
};

const office = await officeHere(quickest);
const before = (await office.run("schema-export")).out;

/** Exports the configuration, changes it, and applies the file to the same installation. */
async function apply(change: (file: File) => void, ...options: string[]) {
  const file = JSON.parse(before) as File;
  change(file);
  return office.run("schema-apply", await office.put("wish.json", JSON.stringify(file)), ...options);
}
const field = (file: File, kind: string, name: string) =>
  file.fields.find((one) => one.record_type === kind && one.name === name)!;

function another(file: File): void {
  field(file, "object", "title").help = { en: "As on the label" };
  file.fields.push({
    ...{ record_type: "object", name: "watermark", label: { en: "Watermark" } },
    ...{ field_type: "vocab", vocabulary: "marks" },
  });
  file.vocabularies.push({
    ...{ name: "marks", label: { en: "Marks" } },
    terms: [
      { value: "crown" },
      { value: "star" },
      {
        ...{ value: "crown with star", broader: "crown", also_broader: ["star"] },
        ...{ alt_label: { en: ["starry crown"] }, scope_note: { de: "Nur mit einem Stern" } },
      },
    ],
  });
  file.roles.push({ name: "helper", label: { en: "Helper" }, permissions: { records: {}, features: [] } });
  file.settings.name = { en: "Sternhöft" };
}

describe("schema-export and schema-apply", () => {
  it("have nothing to do for an unchanged file", async () => {
    const same = await apply(() => {});
    expect([same.code, same.out]).toEqual([0, expect.stringContaining("Nothing to do")]);
    expect((await office.run("schema-export")).out).toBe(before);
  });

  it("show a plan, carry it out after a yes, and can be reverted with the previous file", async () => {
    const planned = await apply(another, "--dry-run");
    expect([planned.code, planned.out.trim().split("\n")]).toEqual([
      0,
      [
        "add vocabulary marks",
        "add terms of marks (3 added)",
        "change field object.title (help)",
        "add field object.watermark",
        "add role helper",
        "change settings (name)",
        "Nothing was changed.",
      ],
    ]);
    expect((await apply(another)).err).toContain("there is no terminal to confirm this");
    expect((await office.run("schema-export")).out).toBe(before);
    expect(await apply(another, "--yes")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Done: 6 steps"),
    });
    expect((await apply(another)).out).toContain("Nothing to do");
    const marks = (JSON.parse((await office.run("schema-export")).out) as File).vocabularies.find(
      ({ name }) => name === "marks",
    )!;
    expect(marks.terms).toMatchObject([
      { value: "crown", broader: null },
      { value: "star", also_broader: [] },
      {
        ...{ value: "crown with star", broader: "crown", also_broader: ["star"] },
        ...{ alt_label: { en: ["starry crown"] }, scope_note: { de: "Nur mit einem Stern" } },
      },
    ]);
    // a file that says nothing about other names, as older ones, takes none away
    const older = (file: File) => {
      another(file);
      const [, , both] = file.vocabularies.at(-1)!.terms as Record<string, unknown>[];
      delete both!.alt_label;
      delete both!.scope_note;
    };
    expect((await apply(older)).out).toContain("Nothing to do");
    // what only this installation has stays, unless --remove is given
    expect((await apply(() => {}, "--yes")).out).not.toContain("remove");
    expect((await apply(() => {}, "--yes", "--remove")).out).toContain("remove field object.watermark");
    expect((await office.run("schema-export")).out).toBe(before);
    // files of earlier versions do not have the vocabulary of attributions
    const earlier = (file: File) => {
      file.vocabularies = file.vocabularies.filter(({ name }) => name !== "attribution_qualifier");
    };
    expect((await apply(earlier, "--yes", "--remove")).out).toContain("Nothing to do");
  });

  it("refuse a file that would lose a value or is no configuration, and change nothing", async () => {
    await office.look(async ({ sql }) => {
      await sql`insert into records (id, record_type, idno, subtype, status, collection_status, metadata, title, sort_title)
        values (gen_random_uuid(), 'object', 'X.1', 'painting', 'draft', 'active',
          '{"technique": [{"value": "etching"}], "title": [{"value": "Map"}]}', 'Map', 'map')`;
    });
    const lossy = await apply(
      (file) => {
        another(file);
        file.fields = file.fields.filter((one) => one !== field(file, "object", "technique"));
      },
      "--yes",
      "--remove",
    );
    expect(lossy.code).toBe(1);
    expect(lossy.out).toMatch(/cannot remove field object\.technique: .*is used by 1 record/);
    expect((await office.run("schema-export")).out).toBe(before);
    const misfit = await apply((file) => {
      field(file, "object", "technique").field_type = "number";
      field(file, "object", "technique").vocabulary = null;
    }, "--yes");
    expect(misfit.out).toContain("1 record has values of object.technique that do not fit");
    const circle = await apply((file) => {
      file.vocabularies.push({
        ...{ name: "marks", label: { en: "Marks" } },
        terms: [
          { value: "a", broader: "b" },
          { value: "b", broader: "a" },
        ],
      });
    }, "--yes");
    expect(circle.out).toContain("would be below itself");
    expect(
      (
        await apply(
          (file) =>
            file.roles.push({
              name: "superuser",
              label: { en: "S" },
              permissions: { records: {}, features: [] },
            }),
          "--yes",
        )
      ).out,
    ).toContain("cannot add role superuser");
    const wrong = await apply((file) => void delete file.fields[0]!.label);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("/fields/0/label")]);
    expect((await office.run("schema-apply", "nowhere.json")).err).toContain("there is no such file");
    expect((await office.run("schema-export")).out).toBe(before);
  });
});
