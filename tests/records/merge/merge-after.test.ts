/** What else happens to records that were merged, and to all that names them: imports, edits, deletions, undos. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { OPERATOR } from "../../../src/caller.ts";
import { newId } from "../../../src/ids.ts";
import { lidoReading } from "../../../src/imports/lido/lido.ts";
import { undoImport } from "../../../src/imports/undo/undo.ts";
import {
  bulk,
  made,
  type RecordJson,
  read,
  said,
  withRole,
  writing,
} from "../../support/museum/catalogue.ts";
import { importText } from "../../support/museum/importing.ts";
import { databases, museumHere, onceFor } from "../../support/museum/museum.ts";

type Undone = {
  record: RecordJson;
  other: RecordJson;
  left: { what: string; id: string | null; name: string | null }[];
};
type Links = { total: number; items: { to_id: string; metadata_: Record<string, object> }[] };

describe.each(databases)("after a merge (%s)", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const admin = await museum.as("admin");
  beforeAll(async () => {
    await museum.services.sql`
      insert into schema_fields (record_type, name, label, help, field_type, is_required, is_repeatable, is_translatable,
        is_searchable, is_facet, is_public, sort_order, mapping)
      values ('object', 'like_this', '{}', '{}', 'relation', false, true, false, null, false, true, 900, '{}')`;
  });

  const { maker, work, link, shelf: shelfOf } = writing((...asked) => editor(...asked));
  const get = (plural: string, id: string) => read(editor(`/v1/${plural}/${id}`));
  const merge = (plural: string, id: string, into: string, fields: object = {}) =>
    read<{ record: RecordJson; moved: Record<string, number> }>(
      editor(`/v1/${plural}/${id}/merge`, { json: { into, fields } }),
    );
  const unmerge = (plural: string, id: string) =>
    read<Undone>(editor(`/v1/${plural}/${id}/unmerge`, { json: {} }));
  const links = (plural: string, id: string) => read<Links>(editor(`/v1/${plural}/${id}/relations`));
  const ends = async (id: string) => (await links("objects", id)).items.map(({ to_id }) => to_id).sort();
  const remove = (path: string, ask = editor) => ask(path, { method: "DELETE" });

  const purge = (plural: string, id: string) => admin(`/v1/${plural}/${id}/purge`, { method: "POST" });

  describe("an import that names the merged record", () => {
    const names = () => museum.services.sql`
      select title from records where record_type = 'entity' and deleted_at is null order by title`;
    const numbered = async (idno: string) => {
      const [row] = await museum.services.sql<{ id: string }[]>`
        select id from records where idno = ${idno} and deleted_at is null`;
      return row!.id;
    };
    let stays: string;
    beforeAll(async () => {
      stays = await maker("Oluf Brander", {}, { idno: "P1" });
      const goes = await maker("Brander, Oluf", {}, { idno: "P2" });
      const last = await maker("O. Brander", {}, { idno: "P3" });
      await merge("entities", goes, last);
      await merge("entities", last, stays);
    });

    it("of LIDO, by number and name, links the other one", async () => {
      const { mapping, ...reading } = await lidoReading(museum.services, OPERATOR);
      const before = await names();
      for (const [number, actor] of [
        ["L1", '<lido:actorID lido:type="local">P2</lido:actorID>'],
        ["L2", ""],
      ]) {
        const done = await importText(
          museum.services,
          `<lido:lidoWrap xmlns:lido="http://www.lido-schema.org"><lido:lido>
            <lido:lidoRecID lido:type="local">${number}</lido:lidoRecID>
            <lido:descriptiveMetadata xml:lang="en">
              <lido:objectClassificationWrap><lido:objectWorkTypeWrap><lido:objectWorkType><lido:term>painting</lido:term>
              </lido:objectWorkType></lido:objectWorkTypeWrap></lido:objectClassificationWrap>
              <lido:objectIdentificationWrap><lido:titleWrap><lido:titleSet><lido:appellationValue>Mill</lido:appellationValue>
              </lido:titleSet></lido:titleWrap>
              <lido:repositoryWrap><lido:repositorySet><lido:workID>${number}</lido:workID></lido:repositorySet></lido:repositoryWrap>
              </lido:objectIdentificationWrap>
              <lido:eventWrap><lido:eventSet><lido:event>
                <lido:eventType><lido:term>production</lido:term></lido:eventType>
                <lido:eventActor><lido:actorInRole><lido:actor>${actor}
                  <lido:nameActorSet><lido:appellationValue>Brander, Oluf</lido:appellationValue></lido:nameActorSet>
                </lido:actor></lido:actorInRole></lido:eventActor>
              </lido:event></lido:eventSet></lido:eventWrap>
            </lido:descriptiveMetadata></lido:lido></lido:lidoWrap>`,
          mapping as Record<string, unknown>,
          reading,
        );
        expect(done).toMatchObject({ created: 1, rejected: 0, without: {} });
        expect(await ends(await numbered(number!))).toEqual([stays]);
      }
      expect(await names()).toEqual(before);
    });

    it("of CSV, by number and name, links the other one", async () => {
      const before = await names();
      const mapping = { no: "__idno__", title: "title", maker: "__relation:created_by:entity__" };
      const csv = 'no,title,maker\nC1,Mill,P2\nC2,Mill,"Brander, Oluf"\n';
      const done = await importText(museum.services, csv, mapping);
      expect(done).toMatchObject({ created: 2, rejected: 0 });
      for (const number of ["C1", "C2"]) expect(await ends(await numbered(number))).toEqual([stays]);
      expect(await names()).toEqual(before);
    });

    it("finds a record that has the name itself, before one that had it before a merge", async () => {
      const own = await maker("Brander, Oluf");
      const mapping = { title: "title", maker: "__relation:created_by:entity__" };
      const title = `Harbour of ${own}`;
      await importText(museum.services, `title,maker\n${title},"Brander, Oluf"\n`, mapping);
      const [row] = await museum.services.sql<
        { id: string }[]
      >`select id from records where title = ${title}`;
      expect(await ends(row!.id)).toEqual([own]);
      await remove(`/v1/objects/${row!.id}?force=true`);
      await remove(`/v1/entities/${own}`);
    });

    it("of JSON, by number, writes the other one, and keeps its number", async () => {
      const lines = ["P2", "P1", "P3"].map((idno, index) => ({
        idno,
        entity_type: "person",
        metadata_: { birth_date: said(`185${index}`), name: said("Oluf Brander") },
      }));
      expect(await bulk(editor, "entities?upsert=merge", lines)).toMatchObject(
        [1, 2, 3].map(() => ({ outcome: "updated", id: stays, idno: "P1" })),
      );
      expect((await get("entities", stays)).metadata_.birth_date).toEqual(said("1852"));
    });

    it("as a parent finds the other one", async () => {
      const collection = (idno: string) =>
        made(editor, "collections", { idno, metadata_: { title: said(`Collection ${idno}`) } });
      const [into, from] = [await collection("K1"), await collection("K2")];
      await merge("collections", from, into);
      const done = await importText(
        museum.services,
        "no,title,parent\nK3,Below,K2\n",
        { no: "__idno__", title: "title", parent: "__parent__" },
        { kind: "collection" },
      );
      expect([done.rejected, done.without]).toEqual([0, {}]);
      expect((await get("collections", await numbered("K3"))).parent_id).toBe(into);
    });

    it("is told why, if the other one is in the trash", async () => {
      const into = await maker("Karl Blom", {}, { idno: "T1" });
      await merge("entities", await maker("Blom, Karl", {}, { idno: "T2" }), into);
      await remove(`/v1/entities/${into}`);
      const why = '"T2" was merged into T1, which is in the trash: restore that first';
      const { lines } = await importText(
        museum.services,
        "no,name\nT2,Karl\n",
        { no: "__idno__", name: "name" },
        { kind: "entity", upsertStrategy: "merge" },
      );
      expect(lines[2]).toContain(why);
      const json = { idno: "T2", entity_type: "person", metadata_: { name: said("Karl") } };
      expect(await read(editor("/v1/entities", { json }), 409)).toMatchObject({ detail: why });
    });
  });

  it("the record that stays does not name itself", async () => {
    const from = await work("From");
    const into = await work("Into", { like_this: said(from) });
    const { record } = await merge("objects", from, into);
    expect(record.metadata_).not.toHaveProperty("like_this");
    expect((await unmerge("objects", from)).other.metadata_.like_this).toEqual(said(from));
  });

  it("one link says what both said", async () => {
    const [into, from, thing] = [await maker("A"), await maker("B"), await work("Thing")];
    await link(`objects/${thing}`, "created_by", "entity", into, { note: said("Signed") });
    await link(`objects/${thing}`, "created_by", "entity", from, { note: said("Dated") });
    await merge("entities", from, into);
    const notes = async () => (await links("objects", thing)).items.map(({ metadata_ }) => metadata_.note);
    expect(await notes()).toEqual([[...said("Signed"), ...said("Dated")]]);
    expect((await unmerge("entities", from)).left).toEqual([]);
    expect((await notes()).flat()).toHaveLength(2);
  });

  it("what was below the merged record comes back below the other one", async () => {
    const collection = (title: string, parent_id: string | null = null) =>
      made(editor, "collections", { parent_id, metadata_: { title: said(title) } });
    const [top, other, into] = [await collection("Top"), await collection("Other"), await collection("Into")];
    const from = await collection("From", top);
    const [trashed, merged] = [await collection("Trashed", from), await collection("Merged", from)];
    await remove(`/v1/collections/${trashed}`);
    await merge("collections", merged, other);
    await merge("collections", from, into);
    await read(editor(`/v1/collections/${trashed}/restore`, { method: "POST" }));
    expect((await get("collections", trashed)).parent_id).toBe(into);
    expect((await unmerge("collections", merged)).record.parent_id).toBe(into);
  });

  it("an undo leaves out links whose type is gone, and forgets an import that is gone", async () => {
    const [into, from, thing] = [await maker("A"), await maker("B"), await work("Thing")];
    const { sql } = museum.services;
    await sql`
      insert into relation_types (name, inverse, from_types, to_types, label, inverse_label, is_hierarchical, is_public)
      select 'praised_by', 'praises', from_types, to_types, label, inverse_label, false, true
      from relation_types where name = 'created_by'`;
    const importId = newId();
    await sql`
      insert into relations (id, relation_type, from_id, to_id, metadata)
      select x.id::uuid, type, ${thing}, to_id::uuid, '{}'
      from (values (${newId()}, 'praised_by', ${into}), (${newId()}, 'praised_by', ${from}),
        (${newId()}, 'created_by', ${into}), (${newId()}, 'created_by', ${from})) x(id, type, to_id)`;
    await merge("entities", from, into);
    // as after an export without history
    await sql`
      update merges set moved = jsonb_set(moved, '{links,removed}', (
        select jsonb_agg(l || jsonb_build_object('import_id', ${importId}::text))
        from jsonb_array_elements(moved -> 'links' -> 'removed') l)) where record_id = ${from}`;
    await sql`delete from relations where relation_type = 'praised_by'`;
    await sql`delete from relation_types where name = 'praised_by'`;
    const { left } = await unmerge("entities", from);
    expect(left).toMatchObject([{ what: "link", name: "praised_by" }]);
    expect(await ends(thing)).toEqual([from, into].sort());
  });

  it("a record that was merged into one that is deleted for good is in the trash", async () => {
    const [into, from] = [await maker("A"), await maker("B")];
    await merge("entities", from, into);
    expect((await remove(`/v1/entities/${into}`)).status).toBe(204);
    expect((await purge("entities", into)).status).toBe(204);
    await read(editor(`/v1/entities/${from}/restore`, { method: "POST" }));
    expect((await get("entities", from)).metadata_.name).toEqual(said("B"));
  });

  it("a record in the trash that named the merged one names the other one when it comes back", async () => {
    const [into, from] = [await work("Into"), await work("From")];
    const naming = await work("Naming", { like_this: said(from) });
    await remove(`/v1/objects/${naming}`);
    await merge("objects", from, into);
    const restored = await read(editor(`/v1/objects/${naming}/restore`, { method: "POST" }));
    expect(restored.metadata_.like_this).toEqual(said(into));
    expect((await unmerge("objects", from)).left).toEqual([]);
    expect((await get("objects", naming)).metadata_.like_this).toEqual(said(from));
  });

  it("the way of the merged object is told of the other one, also when it is gone for good", async () => {
    const [shelf, drawer] = [await shelfOf("Shelf"), await shelfOf("Drawer")];
    const [into, from] = [await work("Into"), await work("From")];
    await link(`objects/${into}`, "stored_at", "storage_location", drawer);
    await link(`objects/${from}`, "stored_at", "storage_location", shelf);
    await merge("objects", from, into);
    type Way = { items: { to: { id: string }; until: string | null }[] };
    const way = async () => {
      const { items } = await read<Way>(editor(`/v1/objects/${into}/locations`));
      return items.map(({ to, until }) => [to.id, until !== null]);
    };
    const told = [
      [shelf, true],
      [drawer, false],
    ];
    expect(await way()).toEqual(told);
    expect((await purge("objects", from)).status).toBe(204);
    expect(await way()).toEqual(told);
    expect((await editor(`/v1/objects/${from}`)).headers.get("Location")).toBe(`/v1/objects/${into}`);
    expect((await editor(`/v1/objects/${from}/unmerge`, { json: {} })).status).toBe(404);
  });

  it("an undo leaves dates and coordinates that were changed since, all or none", async () => {
    const loan = { procedure_type: "loan_out", metadata_: { title: said("Loan") } };
    const into = await made(editor, "procedures", loan);
    const days = { start_date: "2020-01-01", end_date: "2020-06-01", due_date: "2020-05-01" };
    const from = await made(editor, "procedures", { ...loan, ...days });
    const { record } = await merge("procedures", from, into);
    // a loan that is open stays so
    expect(record).toMatchObject({ start_date: "2020-01-01", end_date: null, due_date: "2020-05-01" });
    const json = { start_date: "2019-01-01", due_date: "2019-02-01" };
    await read(editor(`/v1/procedures/${into}`, { method: "PATCH", json }));
    const undone = await unmerge("procedures", from);
    expect(undone.other).toMatchObject(json);
    expect(undone.left.map(({ name }) => name).sort()).toEqual(["due_date", "start_date"]);

    const place = (name: string, more: object = {}) =>
      made(editor, "places", { place_type: "settlement", metadata_: { name: said(name) }, ...more });
    const [here, there] = [await place("Here"), await place("There", { lat: 1, lon: 2 })];
    await merge("places", there, here);
    await read(editor(`/v1/places/${here}`, { method: "PATCH", json: { lat: 3 } }));
    const parted = await unmerge("places", there);
    expect(parted.other).toMatchObject({ lat: 3, lon: 2 });
    expect(parted.left.map(({ name }) => name).sort()).toEqual(["lat", "lon"]);
  });

  it("an older version of a record has links with the other one, and histories name the merged one", async () => {
    const [into, from, last] = [await maker("Into"), await maker("From"), await maker("Last")];
    const thing = await work("Thing");
    const first = await link(`objects/${thing}`, "created_by", "entity", from);
    const versions = await read<{ items: { version: number }[] }>(editor(`/v1/objects/${thing}/history`));
    const { version } = versions.items[0]!;
    await merge("entities", from, into);
    const shown = await (await editor(`/admin/objects/${thing}/history`)).text();
    expect(shown).toContain("From");
    expect(shown).not.toContain("deleted for good");
    await remove(`/v1/objects/${thing}/relations/${first.id}`);
    await link(`objects/${thing}`, "created_by", "entity", last);
    await read(editor(`/v1/objects/${thing}/history/${version}/restore?part=links`, { method: "POST" }));
    expect(await ends(thing)).toEqual([into]);
    const none = version - 1;
    await read(editor(`/v1/objects/${thing}/history/${none}/restore?part=links`, { method: "POST" }));
    expect(await ends(thing)).toEqual([]);
    // the address of a version is not that of another record's
    expect((await editor(`/v1/entities/${from}/history`)).status).toBe(200);
    expect((await museum.ask(`/v1/entities/${from}/history/1`)).status).not.toBe(301);
  });

  it("the undo of an import removes its links, with whatever is at their end by now", async () => {
    const { services } = museum;
    const [into, from, old] = [await maker("New hand"), await maker("Newer hand"), await maker("Old hand")];
    const thing = await work("Thing");
    const { idno } = await get("objects", thing);
    await link(`objects/${thing}`, "created_by", "entity", old);
    const mapping = { no: "__idno__", title: "title", maker: "__relation:created_by:entity__" };
    const done = await importText(services, `no,title,maker\n${idno},Thing,Newer hand\n`, mapping, {
      upsertStrategy: "replace",
    });
    expect(done.lines).toEqual({ 2: "updated" });
    expect(await ends(thing)).toEqual([from]);
    await merge("entities", from, into);
    const older = await maker("Older hand");
    await merge("entities", old, older);
    await undoImport(services, OPERATOR, done.importId, { dryRun: false });
    expect(await ends(thing)).toEqual([older]);
  });

  it("a term that only a merged record has can be deleted when that is deleted for good", async () => {
    const [into, from] = [await maker("A"), await maker("B")];
    await merge("entities", from, into);
    expect((await purge("entities", into)).status).toBe(404);
    expect((await purge("entities", from)).status).toBe(204);
    expect((await editor(`/v1/entities/${from}`)).headers.get("Location")).toBe(`/v1/entities/${into}`);
  });

  it("the first page shows the other record", async () => {
    const [into, from] = [await maker("Shown"), await maker("Gone")];
    const json = { highlights: [from] };
    await read(admin("/v1/settings", { method: "PATCH", json }));
    await merge("entities", from, into);
    expect(await (await museum.ask("/")).text()).toContain(`/entities/${into}`);
  });

  it("languages that were accepted once hinder no merge", async () => {
    const [into, from] = [await maker("A"), await maker("B")];
    await museum.services.sql`
      update records set metadata = jsonb_set(metadata, '{name,0,lang}', '"x_old"') where id in (${into}, ${from})`;
    const { record } = await merge("entities", from, into);
    expect(record.metadata_.alternative_name).toEqual([{ value: "B", lang: "x_old" }]);
  });

  onceFor(database)("an undo tells nothing of links that the caller may not see", async () => {
    const { sql } = museum.services;
    const may = ["read", "update", "delete", "publish"];
    const registrar = await withRole(museum, "registrar", { entity: may });
    const [into, from] = [await maker("A"), await maker("B")];
    const secret = await work("Secret", {}, { status: "draft" });
    const { id } = await link(`objects/${secret}`, "created_by", "entity", from);
    await read(registrar(`/v1/entities/${from}/merge`, { json: { into } }));
    await sql`update relations set metadata = '{"note": [{"value": "changed"}]}' where id = ${id}`;
    const { left } = await read<Undone>(registrar(`/v1/entities/${from}/unmerge`, { json: {} }));
    expect(left).toEqual([{ what: "link", id: null, name: null }]);
  });

  // the embedded database has one session
  if (database === "external")
    it("a link that moves away while it is changed is not found", async () => {
      const { services } = museum;
      const [into, from, thing] = [await work("Into"), await work("From"), await maker("Maker")];
      const { id } = await link(`objects/${from}`, "created_by", "entity", thing);
      const path = `/v1/entities/${thing}/relations/${id}`;
      let changed: Promise<Response> | undefined;
      await services.sql.begin(async (tx) => {
        await tx`select 1 from records where id in (${into}, ${from}) order by id for update`;
        changed = editor(path, { method: "PATCH", json: { metadata_: { note: said("x") } } });
        await vi.waitFor(async () => {
          const waiting = await services.sql`
          select from pg_locks l join pg_stat_activity a using (pid)
          where not l.granted and a.datname = current_database()`;
          expect(waiting.length).toBeGreaterThan(0);
        });
        await tx`update relations set from_id = ${into} where id = ${id}`;
      });
      expect((await changed!).status).toBe(404);
    });
});
