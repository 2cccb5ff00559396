/** svc-manage import-media: brings the files of a directory to their objects. */
import { mkdir } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMatcher } from "../../src/media/care/matching.ts";
import { inLong } from "../support/lane/lane.ts";
import { jpeg } from "../support/museum/media.ts";
import { quickest } from "../support/museum/museum.ts";
import { openOffice } from "../support/programs/command.ts";

describe("the object that a file belongs to", () => {
  const cases: [path: string, objects: string[]][] = [
    ["1998.4.jpg", ["1998.4"]],
    ["deep/below/1998-4.TIFF", ["1998.4"]],
    ["1998.4.12_verso.png", ["1998.4.12"]],
    ["1998.4 (2).jpg", ["1998.4"]],
    ["1998.45.jpg", []],
    ["1998.4.13.jpg", []],
    ["obj-000012-front.jpg", ["OBJ-000012"]],
    ["a 7.jpg", ["Ä 7"]],
    ["2001_5.jpg", ["2001-5", "2001/5"]],
    ["img 0001.jpg", ["by a list"]],
    ["x.tif", ["other"]],
    ["x.png", ["one", "other"]],
    ["nothing.jpg", []],
    ["Foto 1998-4.jpg", ["1998.4"]],
    ["IMG_1998.4.12 a.jpg", ["1998.4.12"]],
    ["Bild A 7.jpg", ["Ä 7"]],
    ["DSC_0012.jpg", []],
    ["Screenshot 2024-05-12.jpg", []],
    ["Foto 1 1998.4.jpg", []],
  ];
  const matcher = createMatcher(cases.map(([path]) => path));
  for (const idno of ["1998.4", "1998.4.12", "OBJ-000012", "Ä 7", "2001-5", "2001/5", "2024-05", "0012"])
    matcher.knows(idno, idno);
  matcher.awaits("by a list", "7", { filename: "scans\\IMG_0001.TIF", position: 0 });
  matcher.awaits("one", "8", { filename: "x.jpg", position: 0 });
  matcher.awaits("other", "9", { filename: "x.tif", position: 0 });
  it.each(cases)("of %s is %j", (path, objects) => {
    expect(matcher.of(path).map(({ objectId }) => objectId)).toEqual(objects);
  });

  it("has the longest number that the name begins with, however it is written", () => {
    const part = fc.oneof(fc.nat({ max: 30 }).map(String), fc.constantFrom("A", "b", "Ö"));
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    const mark = fc.constantFrom("_", "-", " ", " (", "+");
    fc.assert(
      fc.property(fc.array(parts), parts, parts, mark, (others, own, rest, cut) => {
        const all = [...others, own].map((each) => each.join("."));
        const begins = (number: string) => `${[...own, ...rest].join(".")}.`.startsWith(`${number}.`);
        // a number may end wherever the file name has a separator
        const written = [...own.join(cut).toUpperCase().replace("Ö", "O"), ...cut, ...rest.join(cut)].join(
          "",
        );
        const path = `scans/${written}.jpg`;
        const matcher = createMatcher(["1.jpg", path, "b 1.jpg"]);
        for (const idno of new Set(all)) matcher.knows(idno, idno);
        const longest = all.filter(begins).sort((one, other) => other.length - one.length)[0];
        const found = matcher.of(path).map(({ idno }) => idno.toUpperCase());
        expect(found).toContain(longest!.toUpperCase());
      }),
    );
  });
});

it.each([
  ["a file instead of a directory", "list.csv", /list\.csv is not a directory$/],
  ["a directory that does not exist", "none", /none cannot be read: there is no such directory$/],
])("svc-manage import-media says what is wrong with %s", async (_, name, sentence) => {
  const office = await openOffice(quickest);
  onTestFinished(() => office.close());
  await office.put("list.csv", "number\n1\n");
  const ended = await office.run("import-media", name);
  expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
});

inLong(it)(
  "svc-manage import-media finds objects by a list and by number, adds nothing twice, and lists files without an object",
  async () => {
    const office = await openOffice(quickest);
    onTestFinished(() => office.close());
    const mapping = JSON.stringify({ number: "__idno__", title: "title", picture: "__media__" });
    await office.put("map.json", mapping);
    await office.put("list.csv", "number,title,picture\n1998.4,Nets,IMG_7.JPG\n1998.5,Boats,\n");
    expect(
      (await office.run("import-csv", "list.csv", "--type", "object", "--mapping", "map.json")).code,
    ).toBe(0);
    const directory = office.settings.SVC_DATA_DIR!.replace(/data$/, "pictures");
    await mkdir(`${directory}/scans`, { recursive: true });
    const [a, b, c] = [await jpeg(20, 10), await jpeg(21, 10), await jpeg(22, 10)];
    for (const [name, bytes] of [
      ["pictures/scans/img-7.jpg", a],
      ["pictures/1998.5_2.jpg", b],
      ["pictures/1998.5_10.jpg", c],
      ["pictures/unknown.jpg", a],
      ["pictures/1998.4 page.html", Buffer.from("<html><script>1</script></html>")],
      ["pictures/Thumbs.db", Buffer.from("litter")],
    ] as const)
      await office.put(name, bytes);
    const listed = await office.run("import-media", "pictures", "--dry-run");
    expect(listed.out.split("\n")).toEqual([
      "scans/img-7.jpg → 1998.4",
      expect.stringMatching(/^1998\.4 page\.html: refused: This is an HTML page/),
      "1998.5_2.jpg → 1998.5",
      "1998.5_10.jpg → 1998.5",
      "unknown.jpg: refused: no object has this name or number",
      "5 files: 3 would be added, 0 already there, 2 refused; file names in imports that still have no file: 1",
    ]);
    const run = async (...more: string[]): Promise<Record<string, unknown>> => {
      const { code, out } = await office.run("import-media", "pictures", "--json", ...more);
      return { code, ...JSON.parse(out) };
    };
    expect(await run("--dry-run")).toMatchObject({
      code: 3,
      added: 0,
      would_add: 3,
      there: 0,
      refused: 2,
      awaited: 1,
      rejects: null,
    });
    const first = await run();
    expect(first).toMatchObject({ code: 3, added: 3, would_add: 0, there: 0, refused: 2, awaited: 0 });
    expect(first.files).toContainEqual({
      file: "1998.5_2.jpg",
      outcome: "added",
      idno: "1998.5",
      object_id: expect.any(String),
    });
    expect(await run()).toMatchObject({ code: 3, added: 0, there: 3, refused: 2, awaited: 0 });
    const rejects = await office.read("pictures.rejects.csv");
    expect(rejects).toContain("no object has this name or number,unknown.jpg");
    expect(rejects).toContain("HTML page");
    const kept = await office.look(
      ({ sql }) =>
        sql<{ idno: string; filename: string }[]>`
      select r.idno, m.filename from object_media m join records r on r.id = m.object_id order by r.idno, m.position`,
    );
    expect(kept.map(({ idno, filename }) => `${idno} ${filename}`)).toEqual([
      "1998.4 img-7.jpg",
      "1998.5 1998.5_2.jpg",
      "1998.5 1998.5_10.jpg",
    ]);
  },
);
