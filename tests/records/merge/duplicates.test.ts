/** Records that may be one: which are offered, to whom, and until when. */
import { describe, expect, it } from "vitest";
import { findCandidates } from "../../../src/records/duplicates/candidates.ts";
import { made, type ProblemJson, type RecordJson, read } from "../../support/museum/catalogue.ts";
import { databases, museumHere, onceFor } from "../../support/museum/museum.ts";

type Duplicates = {
  total: number;
  items: { records: RecordJson[]; reason: string; score: number }[];
};

describe("names that may be one", () => {
  const pairs = async (...titles: string[]) => {
    const records = titles.map((title, at) => ({ id: `${at}`, idno: `N ${at}`, title, authorities: [] }));
    return (await findCandidates(records)).map(({ ids, score }) => [
      ...ids.map((id) => titles[Number(id)]),
      score,
    ]);
  };

  it.each([
    ["Oluf Brander", "Brander, Oluf", 1],
    ["Oluf Brander", "O. Brander", 0.8],
    ["Bach, J. S.", "Johann Sebastian Bach", 0.8],
    ["Grete Müller", "Mueller, Grete", 1],
    ["Łukasz Nowak", "Nowak, Lukasz", 1],
    ["Oluf Brander", "Olof Brandner", 0.85],
    ["Maria Schmidt", "Marie Schmidt", 0.92],
    ["Sternhöft", "Sternhoeft", 1],
    ["Иван Петров", "Петров, Иван", 1],
  ])("%s and %s", async (one, other, score) => {
    expect(await pairs("Anna Holm", one, "Zacharias Werner", other, "Karl Blom")).toEqual([
      [one, other, score],
    ]);
  });

  it.each([
    ["Blatt 4", "Blatt 5"],
    ["Harbour, sheet 12", "Harbour, sheet 13"],
    ["Anna Müller", "Emma Müller"],
    ["O. Brander", "A. Brander"],
    ["Oluf Brander", "Oscar Brander"],
    ["Eva", "Ewa"],
    ["Study of nets I", "Study of nets II"],
    ["", ""],
  ])("not %s and %s", async (one, other) => {
    expect(await pairs(one, other)).toEqual([]);
  });

  it("says nothing of a name that many have", async () => {
    expect(await pairs(...Array.from({ length: 21 }, () => "Untitled"))).toEqual([]);
  });
});

describe.each(databases)("records that may be one (%s)", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");

  const said = (value: string) => [{ value }];
  const make = (plural: string, json: object) => made(editor, plural, json);
  const maker = (name: string, more: object = {}) =>
    make("entities", { entity_type: "person", metadata_: { name: said(name), ...more } });
  const list = (plural = "entities", query = "") =>
    read<Duplicates>(editor(`/v1/${plural}/duplicates${query}`));
  const offered = async (plural?: string) =>
    (await list(plural)).items.map(({ records, reason }) => [reason, ...records.map(({ id }) => id)]);
  const path = "/v1/entities/duplicates/dismissed";

  it("are offered for their authority number, number or name, and never again once they are two", async () => {
    const [oluf, comma] = [await maker("Oluf Brander"), await maker("Brander, Oluf")];
    const gnd = (id: string) => ({ gnd: said(id) });
    const [one, other] = [
      await maker("G. Holm", gnd("118540238")),
      await maker("Goethe", gnd("https://d-nb.info/gnd/118540238")),
    ];
    // two people with the same name
    await maker("Karl Blom", gnd("118529579"));
    await maker("Karl Blom", gnd("118578537"));
    expect(await offered()).toEqual([
      ["authority", one, other],
      ["name", oluf, comma],
    ]);
    const second = await list("entities", "?page=2&page_size=1");
    expect(second).toMatchObject({ total: 2, page: 2, page_size: 1, items: [{ reason: "name", score: 1 }] });

    for (const _twice of [1, 2])
      expect((await editor(path, { json: { ids: [comma, oluf] } })).status).toBe(204);
    expect(await offered()).toEqual([["authority", one, other]]);
    const { items, total } = await list("entities", "?dismissed=true");
    expect([total, items[0]!.records.map(({ id }) => id)]).toEqual([1, [oluf, comma]]);
    const again = await editor(`${path}?ids=${oluf}&ids=${comma}`, { method: "DELETE" });
    expect(again.status).toBe(204);
    expect([(await list()).total, (await list("entities", "?dismissed=true")).total]).toEqual([2, 0]);
    const rename = (name: string) =>
      read(editor(`/v1/entities/${comma}`, { method: "PATCH", json: { metadata_: { name: said(name) } } }));
    await rename("Nobody");
    expect(await offered()).toEqual([["authority", one, other]]);
    await rename("Brander, Oluf");
    await read(editor(`/v1/entities/${other}/merge`, { json: { into: one } }));
    expect(await offered()).toEqual([["name", oluf, comma]]);
  });

  it("are offered for one number that is written in two ways", async () => {
    const object = (idno: string, title: string) =>
      make("objects", { object_type: "painting", idno, metadata_: { title: said(title) } });
    const ids = [await object("1998.4a", "Harbour"), await object("1998/04 A", "Storm")];
    await object("1998.4", "Nets");
    await object("19.984a", "Boats");
    expect(await offered("objects")).toEqual([["number", ...ids]]);
  });

  onceFor(database)("are shown to nobody who may not merge them", async () => {
    const ids = [await maker("Ida Lund"), await maker("Jens Krog")];
    for (const role of ["viewer", "cataloger"] as const) {
      const ask = await museum.as(role);
      expect((await ask("/v1/entities/duplicates")).status).toBe(403);
      expect((await ask(path, { json: { ids } })).status).toBe(403);
    }
    expect((await museum.ask("/v1/entities/duplicates")).status).toBe(401);
  });

  onceFor(database)("must be two records of the type", async () => {
    const id = await maker("Anna Holm");
    const object = await make("objects", { object_type: "painting", metadata_: { title: said("Boats") } });
    const faults = async (ids: string[]) =>
      (await read<ProblemJson>(editor(path, { json: { ids } }), 422)).errors?.map(({ pointer, code }) => [
        pointer,
        code,
      ]);
    expect(await faults([id, id])).toEqual([["/ids/1", "duplicates.itself"]]);
    expect(await faults([id, object])).toEqual([["/ids/1", "record.unknown"]]);
    expect((await editor(path, { json: { ids: [id] } })).status).toBe(422);
  });
});
