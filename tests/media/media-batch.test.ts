/** POST /v1/media/batch: files for many objects, found by the numbers in their names. */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { made, said, withKey } from "../support/museum/catalogue.ts";
import { inForm, jpeg } from "../support/museum/media.ts";
import { databases, museumHere, onceFor } from "../support/museum/museum.ts";

type Item = {
  filename: string;
  object_id?: string;
  idno?: string;
  state: string;
  code?: string;
  detail?: string;
  position?: number;
};
type Sent = [filename: string, bytes: Uint8Array];

const AT = "/v1/media/batch";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each(databases)("files for many objects (%s)", async (database) => {
  let series = 0;
  /** Begins the numbers of one test. */
  let year: string;
  const museum = await museumHere({ database, env: { MEDIA_MAX_BYTES: "200k" } });
  const editor = await museum.as("editor");
  beforeEach(() => {
    year = String(1900 + series++);
  });

  const filesKept = (): Promise<string[]> => readdir(join(museum.dataDir, "media/originals")).catch(() => []);

  const object = (idno: string) =>
    made(editor, "objects", { idno, object_type: "photograph", metadata_: { title: said(idno) } });
  async function itemsOf(answer: Response): Promise<Item[]> {
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { items: Item[] }).items;
  }
  const plan = async (files: object[], ask = editor) =>
    itemsOf(await ask(AT, { json: { dry_run: true, files } }));
  function formOf(files: Sent[], fields: Record<string, string> = {}): FormData {
    const form = new FormData();
    // behind the files, where a visibility must count, too
    for (const [name, bytes] of files)
      form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  }
  const send = (files: Sent[], fields?: Record<string, string>, ask = editor) =>
    ask(AT, { method: "POST", body: formOf(files, fields) });
  const statesOf = (items: Item[]) => items.map(({ idno = "", state }) => `${idno} ${state}`.trim());
  // biome-ignore lint/suspicious/noExplicitAny: media of every shape are looked into
  async function mediaOf(id: string): Promise<any[]> {
    return ((await (await editor(`/v1/objects/${id}/media`)).json()) as { items: object[] }).items;
  }

  it("a dry run tells what belongs where, what is there already, and stores nothing", async () => {
    const one = await object(`${year}.1`);
    await object(`${year}-2`);
    await object(`${year}/2`);
    const [there, fresh] = [await jpeg(30, 20), await jpeg(31, 20)];
    await send([[`${year}.1.jpg`, there]]);
    const before = await filesKept();
    const items = await plan([
      { filename: `scans/${year}.1_verso.jpg`, bytes: 5, sha256: sha256(fresh) },
      { filename: `${year}.1 again.jpg`, bytes: 5, sha256: sha256(fresh) },
      { filename: `${year}.1.JPG`, bytes: 5, sha256: sha256(there) },
      { filename: `${year}_2.jpg`, bytes: 5 },
      { filename: "IMG_4711.jpg", bytes: 5 },
      // somebody chose its object by hand
      { filename: "IMG_4712.jpg", bytes: 5, sha256: sha256(there) },
      { filename: `${year}.1.tif`, bytes: 300_000 },
    ]);
    expect(items[0]).toEqual({
      filename: `scans/${year}.1_verso.jpg`,
      object_id: one,
      idno: `${year}.1`,
      state: "matched",
    });
    expect(statesOf(items)).toEqual([
      `${year}.1 matched`,
      `${year}.1 duplicate`,
      `${year}.1 duplicate`,
      "ambiguous",
      "unmatched",
      `${year}.1 duplicate`,
      "refused",
    ]);
    expect(items.map(({ code }) => code)).toEqual([
      ...[undefined, "file.same_as", undefined],
      ...["file.several_objects", "file.no_object", undefined, "body.too_large"],
    ]);
    expect(items[3]!.detail).toBe(`the name matches 2 objects: ${year}-2, ${year}/2`);
    expect(await filesKept()).toEqual(before);
  });

  it("stores each file with its object in the order of the names, with what is said of all", async () => {
    const [one, two] = [await object(`${year}.1`), await object(`${year}.2`)];
    const [a, b, c] = [await jpeg(40, 20), await jpeg(41, 20), await jpeg(42, 20)];
    const files: Sent[] = [
      [`${year}.1_2.jpg`, a],
      [`${year}.1.jpg`, b],
      [`${year}.2.png`, c],
      [`${year}.2 copy.jpg`, c],
      [`${year}.1.html`, Buffer.from("<html><script>1</script></html>")],
      [`${year}.2 cut.jpg`, a.subarray(0, 600)],
      ["nobody.jpg", a],
    ];
    const fields = {
      license_uri: "https://creativecommons.org/publicdomain/zero/1.0/",
      rights_holder: "Museum am Hafen",
      visibility: "private",
    };
    const items = await itemsOf(await send(files, fields));
    expect(items.map(({ filename }) => filename)).toEqual(files.map(([name]) => name));
    expect(statesOf(items)).toEqual([
      ...[`${year}.1 stored`, `${year}.1 stored`, `${year}.2 stored`, `${year}.2 duplicate`],
      ...[`${year}.1 refused`, `${year}.2 refused`, "unmatched"],
    ]);
    expect(items[4]).toMatchObject({ code: "file.html", detail: expect.stringContaining("HTML page") });
    const [first, second, ...more] = await mediaOf(one);
    expect(more).toEqual([]);
    expect([first.filename, second.filename]).toEqual([`${year}.1.jpg`, `${year}.1_2.jpg`]);
    expect(first).toMatchObject({ ...fields, sha256: sha256(b), is_primary: true });
    expect((await mediaOf(two)).map(({ sha256 }) => sha256)).toEqual([sha256(c)]);
    const kept = await filesKept();
    // the same again changes nothing
    expect(statesOf(await itemsOf(await send(files, fields)))).toEqual([
      ...[`${year}.1 duplicate`, `${year}.1 duplicate`, `${year}.2 duplicate`, `${year}.2 duplicate`],
      ...[`${year}.1 refused`, `${year}.2 refused`, "unmatched"],
    ]);
    expect(await filesKept()).toEqual(kept);
    expect(await mediaOf(one)).toHaveLength(2);
    expect(await museum.services.sql`select 1 from stray_files`).toEqual([]);
  });

  it("stores files with a chosen object, whatever their names say", async () => {
    const [one, two] = [await object(`${year}.1`), await object(`${year}.2`)];
    const items = await itemsOf(await send([[`${year}.2.jpg`, await jpeg(50, 20)]], { object_id: one }));
    expect(items).toEqual([
      { filename: `${year}.2.jpg`, object_id: one, idno: `${year}.1`, state: "stored" },
    ]);
    expect([await mediaOf(one), await mediaOf(two)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it("finds the files that an import named, in the order of its list", async () => {
    const id = await object(`${year}.1`);
    const { sql } = museum.services;
    for (const [filename, position] of [
      [`${year} b.jpg`, 1],
      [`${year} a.jpg`, 2],
    ] as const)
      await sql`insert into media_names (record_id, filename, position) values (${id}, ${filename}, ${position})`;
    const names = [`${year} a.jpg`, `${year} b.jpg`];
    const items = await plan(names.map((filename) => ({ filename, bytes: 1 })));
    expect(items.map(({ idno, position }) => [idno, position])).toEqual([
      [`${year}.1`, 2],
      [`${year}.1`, 1],
    ]);
    await send([
      [names[0]!, await jpeg(60, 20)],
      [names[1]!, await jpeg(61, 20)],
    ]);
    expect((await mediaOf(id)).map(({ filename }) => filename)).toEqual([names[1], names[0]]);
  });

  onceFor(database)("finds only objects that its caller may see", async () => {
    const id = await object(`${year}.1`);
    const uploader = await withKey(museum, await museum.as("superuser"), "media:write");
    const files = [{ filename: `${year}.1.jpg`, bytes: 5 }];
    const picture = await jpeg(70, 20);
    expect(statesOf(await plan(files, uploader))).toEqual(["unmatched"]);
    expect(statesOf(await itemsOf(await send([[`${year}.1.jpg`, picture]], {}, uploader)))).toEqual([
      "unmatched",
    ]);
    expect((await send([["a.jpg", picture]], { object_id: id }, uploader)).status).toBe(404);
    expect(await mediaOf(id)).toEqual([]);
    await editor(`/v1/objects/${id}/publish`, { method: "POST" });
    expect(statesOf(await plan(files, uploader))).toEqual([`${year}.1 matched`]);
    // nor learns it how an import named the files of a public object
    await museum.services.sql`
      insert into media_names (record_id, filename, position) values (${id}, ${`${year} named.tif`}, 3)`;
    const named = [{ filename: `${year} named.tif`, bytes: 5 }];
    expect(statesOf(await plan(named, uploader))).toEqual(["unmatched"]);
    expect(await plan(named)).toMatchObject([{ state: "matched", object_id: id, position: 3 }]);
    // what it may not see of a public object, it does not learn of either
    await send([["a.jpg", picture]], { object_id: id, visibility: "private" });
    const sum = { sha256: sha256(picture) };
    expect(statesOf(await plan([{ filename: "x.jpg", bytes: 5, ...sum }], uploader))).toEqual(["unmatched"]);
    expect((await (await museum.as("viewer"))(AT, { json: { dry_run: true, files } })).status).toBe(403);
    expect((await museum.ask(AT, { json: { dry_run: true, files } })).status).toBe(401);
  });

  onceFor(database)("refuses what is not valid, and keeps nothing of it", async () => {
    const id = await object(`${year}.1`);
    const kept = await filesKept();
    const picture = await jpeg(80, 20);
    const file = { filename: "a.jpg", bytes: 1 };
    const refusals: [body: object | FormData, status: number, pointer: string | undefined][] = [
      [{ files: [file] }, 422, "/dry_run"],
      [{ dry_run: false, files: [file] }, 422, "/dry_run"],
      [{ dry_run: true, files: [{ bytes: 1 }] }, 422, "/files/0/filename"],
      [{ dry_run: true, files: [{ ...file, bytes: -1 }] }, 422, "/files/0/bytes"],
      [{ dry_run: true, files: [{ ...file, sha256: "x" }] }, 422, "/files/0/sha256"],
      [{ dry_run: true, files: [{ ...file, filename: "x".repeat(501) }] }, 422, "/files/0/filename"],
      [{ dry_run: true, files: Array.from({ length: 5_001 }, () => file) }, 422, "/files"],
      [formOf([]), 422, "/file"],
      // what a browser sends for a control without a file
      [formOf([["", new Uint8Array()]]), 422, "/file"],
      [formOf([["a.jpg", picture]], { visibility: "secret" }), 422, "/visibility"],
      [formOf([["a.jpg", picture]], { license_uri: "mine" }), 422, "/license_uri"],
      [formOf([["a.jpg", picture]], { caption: "All" }), 422, "/caption"],
      [formOf([["a.jpg", picture]], { object_id: "1" }), 422, "/object_id"],
      // an unset variable of a script: names would choose the objects
      [formOf([["a.jpg", picture]], { object_id: "" }), 422, "/object_id"],
      [formOf([["a.jpg", picture]], { object_id: crypto.randomUUID() }), 404, undefined],
      [formOf([[`${year}.1.jpg`, Buffer.concat([picture, Buffer.alloc(300_000)])]]), 413, undefined],
    ];
    for (const [body, status, pointer] of refusals) {
      const answer =
        body instanceof FormData
          ? await editor(AT, { method: "POST", body })
          : await editor(AT, { json: body });
      const { errors } = (await answer.json()) as { errors?: { pointer: string }[] };
      expect([answer.status, errors?.[0]?.pointer]).toEqual([status, pointer]);
    }
    const text = await editor(AT, {
      method: "POST",
      body: "{}",
      headers: { "Content-Type": "text/plain" },
    });
    expect(text.status).toBe(415);
    const foreign = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" };
    const body = inForm(picture, `${year}.1.jpg`);
    expect((await editor(AT, { method: "POST", body, headers: foreign })).status).toBe(403);
    expect(await filesKept()).toEqual(kept);
    expect(await mediaOf(id)).toEqual([]);
  });

  onceFor(database)("plans 5,000 files in one request, and stores more than fit a usual form", async () => {
    const id = await object(`${year}.1`);
    const files = Array.from({ length: 5_000 }, (_, n) => ({
      filename: `${year}.1_${n}.jpg`,
      bytes: n,
      sha256: sha256(Buffer.from(String(n))),
    }));
    const planned = await plan(files);
    expect(planned).toHaveLength(5_000);
    expect(new Set(statesOf(planned))).toEqual(new Set([`${year}.1 matched`]));
    const tiny = Array.from(
      { length: 60 },
      (_, n): Sent => [`${year}.1_${n}.pdf`, Buffer.from(`%PDF-1.7 ${n}`)],
    );
    expect(new Set(statesOf(await itemsOf(await send(tiny))))).toEqual(new Set([`${year}.1 stored`]));
    expect(await mediaOf(id)).toHaveLength(50);
  });
});
