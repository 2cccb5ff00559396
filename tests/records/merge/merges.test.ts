/** Two records that are one: what moves, what is refused, and where the old address leads. */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  made,
  type ProblemJson,
  type RecordJson,
  read,
  said,
  writing,
} from "../../support/museum/catalogue.ts";
import { jpeg, send } from "../../support/museum/media.ts";
import { type Ask, databases, museumHere, onceFor, openMuseum } from "../../support/museum/museum.ts";
import { Harvester } from "../../support/oai.ts";

type Answer = { record: RecordJson; merged_id: string; moved: Record<string, number> };
type Undone = { record: RecordJson; other: RecordJson; left: { what: string; name: string | null }[] };
type Links = { total: number; items: { relation_type: string; to_id: string; to_title: string }[] };

describe.each(databases)("merging records (%s)", async (database) => {
  const museum = await museumHere({ database });
  const editor = await museum.as("editor");
  const viewer = await museum.as("viewer");

  const { maker, work, link, shelf: shelfOf } = writing((...asked) => editor(...asked));
  const links = (plural: string, id: string, ask = editor) =>
    read<Links>(ask(`/v1/${plural}/${id}/relations`));
  const makers = async (id: string) => (await links("objects", id)).items.map(({ to_id }) => to_id);
  const merge = (plural: string, id: string, into: string, more: object = {}, query = "", headers = {}) =>
    editor(`/v1/${plural}/${id}/merge${query}`, { json: { into, ...more }, headers });
  const unmerge = (plural: string, id: string) => editor(`/v1/${plural}/${id}/unmerge`, { json: {} });
  const where = async (path: string, ask: Ask = museum.ask) => {
    const answer = await ask(path);
    return [answer.status, answer.headers.get("Location"), answer.headers.get("Cache-Control")];
  };
  const refusal = async (answer: Promise<Response>, status: number) => {
    const { code, errors } = await read<ProblemJson>(answer, status);
    return errors?.[0]?.code ?? code;
  };

  it("makes one maker of three, with all their works, and three again", async () => {
    const [oluf, comma, initial] = [
      await maker("Oluf Brander", { biography: said("Painter of harbours.") }),
      await maker("Brander, Oluf", { birth_date: said("1850"), biography: said("A painter.") }),
      await maker("O. Brander", { nationality: said("Danish") }),
    ];
    const [harbour, storm] = [await work("Harbour"), await work("Storm")];
    await link(`objects/${harbour}`, "created_by", "entity", comma);
    await link(`objects/${harbour}`, "created_by", "entity", oluf);
    await link(`objects/${storm}`, "created_by", "entity", initial);

    const first = await read<Answer>(merge("entities", comma, oluf));
    expect(first.moved).toMatchObject({ links: 0, links_joined: 1 });
    const second = await read<Answer>(merge("entities", initial, oluf));
    expect(second.moved).toMatchObject({ links: 1, links_joined: 0 });
    expect(second.record.metadata_).toEqual({
      name: said("Oluf Brander"),
      alternative_name: [...said("Brander, Oluf"), ...said("O. Brander")],
      biography: said("Painter of harbours."),
      birth_date: said("1850"),
      nationality: said("Danish"),
    });
    const titles = (await links("entities", oluf)).items.map((one) => one.to_title);
    expect(titles.sort()).toEqual(["Harbour", "Storm"]);
    const found = await read<{ items: { title: string }[] }>(museum.ask("/v1/search?q=brander&type=entity"));
    expect(found.items.map(({ title }) => title)).toEqual(["Oluf Brander"]);

    expect(await refusal(unmerge("entities", comma), 409)).toBe("merge.later");
    expect((await read<Undone>(unmerge("entities", initial))).left).toEqual([]);
    const undone = await read<Undone>(unmerge("entities", comma));
    expect(undone).toMatchObject({
      record: {
        id: comma,
        status: "public",
        metadata_: { name: said("Brander, Oluf"), birth_date: said("1850") },
      },
      other: { id: oluf, metadata_: { name: said("Oluf Brander"), biography: said("Painter of harbours.") } },
      left: [],
    });
    expect(undone.other.metadata_).not.toHaveProperty("alternative_name");
    expect((await makers(harbour)).sort()).toEqual([comma, oluf].sort());
    expect(await makers(storm)).toEqual([initial]);
    const again = await read<{ total: number }>(museum.ask("/v1/search?q=brander&type=entity"));
    expect(again.total).toBe(3);
  });

  it("takes fields from the one that was chosen, and shows the result before", async () => {
    const into = await maker("A", { biography: said("Long."), nationality: said("Danish") });
    const other = { biography: said("Longer."), nationality: said("German") };
    const from = await maker("B", other, { status: "draft" });
    const fields = { biography: "merged", nationality: "both", name: "merged", entity_type: "kept" };
    const shown = await read<Answer>(merge("entities", from, into, { fields }, "?dry_run=true"));
    expect(shown.record.metadata_).toEqual({
      name: said("B"),
      alternative_name: said("A"),
      biography: said("Longer."),
      nationality: [...said("Danish"), ...said("German")],
    });
    expect((await read(editor(`/v1/entities/${into}`))).metadata_.name).toEqual(said("A"));
    expect((await editor(`/v1/entities/${from}`)).status).toBe(200);
    const done = await read<Answer>(merge("entities", from, into, { fields }));
    expect(done.moved).toEqual(shown.moved);
    expect(done.record.metadata_).toEqual(shown.record.metadata_);
    type History = { items: { action: string; note: object }[] };
    const history = await read<History>(editor(`/v1/entities/${into}/history`));
    expect(history.items[0]).toMatchObject({ action: "merged", note: { merged: { id: from, title: "B" } } });
    const old = await read<History>(editor(`/v1/entities/${from}/history`));
    expect(old.items[0]).toMatchObject({ action: "merged", note: { into: { id: into } } });
    const wrong = async (fields: object) =>
      refusal(merge("entities", into, await maker("C"), { fields }), 422);
    expect(await wrong({ colour: "both" })).toBe("field.unknown");
    expect(await wrong({ entity_type: "both" })).toBe("merge.one_value");
  });

  it("moves media, places and what is below, and ends what would be double", async () => {
    const [into, from] = [await work("One"), await work("Two")];
    const [shelf, drawer] = [await shelfOf("Shelf"), await shelfOf("Drawer")];
    const pictures = [await jpeg(8, 8), await jpeg(9, 9)] as const;
    for (const [id, picture] of [
      [into, pictures[0]],
      [from, pictures[0]],
      [from, pictures[1]],
    ] as const)
      await read(send(editor, id, picture, "p.jpg"), 201);
    await link(`objects/${from}`, "stored_at", "storage_location", shelf);
    const done = await read<Answer>(merge("objects", from, into));
    expect(done.moved).toMatchObject({ links: 1, media: 1, media_there: 1 });
    const media = await read<{ items: { position: number; is_primary: boolean }[] }>(
      museum.ask(`/v1/objects/${into}/media`),
    );
    expect(media.items).toMatchObject([
      { position: 1, is_primary: true },
      { position: 2, is_primary: false },
    ]);
    const locations = await read<{ total: number }>(editor(`/v1/objects/${into}/locations`));
    // its own one, and that of the merged one until then
    expect(locations.total).toBe(2);
    expect((await read<Undone>(unmerge("objects", from))).left).toEqual([]);
    expect((await read<{ total: number }>(editor(`/v1/objects/${into}/locations`))).total).toBe(0);
    expect((await read<{ total: number }>(museum.ask(`/v1/objects/${from}/media`))).total).toBe(2);

    await link(`objects/${into}`, "stored_at", "storage_location", drawer);
    expect((await read<Answer>(merge("objects", from, into))).moved).toMatchObject({
      links: 0,
      places_ended: 1,
    });
    // places, too, are one
    expect((await read<Answer>(merge("storage-locations", drawer, shelf))).moved).toMatchObject({ links: 1 });
    const at = await read<{ items: { to: { id: string } }[] }>(editor(`/v1/objects/${into}/locations`));
    expect(at.items.map(({ to }) => to.id)).toEqual([shelf, shelf]);
  });

  it("lifts a collection to the place of the one above it", async () => {
    const collection = (title: string, parent_id: string | null) =>
      made(editor, "collections", { parent_id, metadata_: { title: said(title) } });
    const top = await collection("Top", null);
    const middle = await collection("Middle", top);
    const branch = await collection("Branch", middle);
    const low = await collection("Low", branch);
    const done = await read<Answer>(merge("collections", middle, low));
    expect(done.record.parent_id).toBe(top);
    expect(done.moved).toMatchObject({ below: 1 });
    expect((await read(editor(`/v1/collections/${branch}`))).parent_id).toBe(low);
    expect((await read<Undone>(unmerge("collections", middle))).left).toEqual([]);
    const parents = [];
    for (const id of [middle, branch, low])
      parents.push((await read(editor(`/v1/collections/${id}`))).parent_id);
    expect(parents).toEqual([top, middle, branch]);
  });

  it("refuses what makes no sense", async () => {
    const [a, b, gone] = [await maker("A"), await maker("B"), await maker("Gone")];
    const thing = await work("Thing");
    expect(await refusal(merge("entities", a, a), 422)).toBe("merge.itself");
    expect(await refusal(merge("entities", a, thing), 422)).toBe("merge.other_type");
    expect(await refusal(merge("entities", a, b, {}, "", { "If-Match": '"7"' }), 412)).toBe("record.changed");
    expect(await refusal(merge("entities", a, b, { into_version: 7 }), 412)).toBe("record.changed");
    await editor(`/v1/entities/${gone}`, { method: "DELETE" });
    expect(await refusal(merge("entities", a, gone), 422)).toBe("merge.deleted");
    expect(await refusal(merge("entities", gone, a), 410)).toBe("record.deleted");
    await read(merge("entities", b, a));
    expect(await refusal(merge("entities", a, b), 422)).toBe("merge.circle");
    const c = await maker("C");
    expect(await refusal(merge("entities", c, b), 422)).toBe("merge.merged");
    expect((await viewer(`/v1/entities/${c}/merge`, { json: { into: a } })).status).toBe(403);
    expect((await museum.ask(`/v1/entities/${c}/merge`, { json: { into: a } })).status).toBe(401);
    expect((await editor(`/v1/entities/${b}/restore`, { method: "POST" })).status).toBe(404);
    const trash = await read<{ items: { id: string }[] }>(editor("/v1/entities/trash"));
    expect(trash.items.map(({ id }) => id)).not.toContain(b);
    expect(await refusal(unmerge("entities", c), 404)).toBe("merge.not_found");
  });

  it("never gives the number of a merged record again", async () => {
    const [a, b] = [await maker("A"), await maker("B")];
    const { idno } = await read(editor(`/v1/entities/${b}`));
    await read(merge("entities", b, a));
    const json = { entity_type: "person", idno, metadata_: { name: said("New") } };
    expect(await refusal(editor("/v1/entities", { json }), 409)).toBe("idno.taken");
  });

  it("refuses a merge by which something would be part of itself", async () => {
    const [a, b, c] = [await maker("A"), await maker("B"), await maker("C")];
    await link(`entities/${a}`, "member_of", "entity", b);
    await link(`entities/${b}`, "member_of", "entity", c);
    expect(await refusal(merge("entities", a, c), 409)).toBe("merge.hierarchy");
    expect((await links("entities", a)).total).toBe(1);
    // a link between the two goes
    expect((await read<Answer>(merge("entities", a, b))).moved).toMatchObject({ links: 0, links_between: 1 });
  });

  it("lists what somebody has changed since, and leaves it", async () => {
    const [into, from] = [
      await maker("A"),
      await maker("B", { nationality: said("Danish"), birth_date: said("1850") }),
    ];
    const [kept, left] = [await work("Kept"), await work("Left")];
    await link(`objects/${kept}`, "created_by", "entity", from);
    const { id } = await link(`objects/${left}`, "created_by", "entity", from);
    await read(merge("entities", from, into));
    const patch = { metadata_: { nationality: said("German") } };
    await read(editor(`/v1/entities/${into}`, { method: "PATCH", json: patch }));
    await editor(`/v1/objects/${left}/relations/${id}`, { method: "DELETE" });
    const { left: stays, other, record } = await read<Undone>(unmerge("entities", from));
    expect(stays).toMatchObject([
      { what: "field", name: "nationality" },
      { what: "link", id },
    ]);
    expect(other.metadata_).toEqual({ name: said("A"), nationality: said("German") });
    expect(record.metadata_).toMatchObject({ nationality: said("Danish") });
    expect(await makers(kept)).toEqual([from]);
  });

  it("leads from the old address to the last record in one hop, until it is undone", async () => {
    const [a, b, c] = [await maker("A"), await maker("B"), await maker("C")];
    await read(merge("entities", a, b));
    await read(merge("entities", b, c));
    const paths = ["/v1/entities/ID", "/api/v1/entities/ID?include=title", "/entities/ID"];
    for (const path of [...paths, "/v1/entities/ID/relations"])
      expect(await where(path.replace("ID", a))).toEqual([301, path.replace("ID", c), "no-cache"]);
    const asData = await museum.ask(`/entities/${a}`, { headers: { Accept: "text/turtle" } });
    expect([asData.status, asData.headers.get("Location")]).toEqual([301, `/entities/${c}`]);
    expect(await where(`/admin/entities/${a}`, editor)).toEqual([301, `/admin/entities/${c}`, "no-cache"]);
    expect((await editor(`/v1/entities/${a}`, { method: "PATCH", json: {} })).status).toBe(410);
    await museum.services.changed([a, b, c]);
    const sameAs = async (id: string) => {
      const text = await (await museum.ask(`/v1/entities/${id}/export?format=turtle`)).text();
      return [...(text.match(/sameAs[^;]*/g) ?? []).join().matchAll(/entities\/([0-9a-f-]{36})/g)].map(
        ([, other]) => other,
      );
    };
    expect((await sameAs(c)).sort()).toEqual([a, b].sort());
    const harvested = await new Harvester(museum.ask).headers("metadataPrefix=oai_dc&set=entity");
    expect(harvested.filter(({ id }) => [a, b, c].includes(id)).map(({ deleted }) => deleted)).toEqual(
      [a, b, c].sort().map((id) => id !== c),
    );
    await read(unmerge("entities", b));
    expect(await where(`/v1/entities/${a}`)).toEqual([301, `/v1/entities/${b}`, "no-cache"]);
    await read(unmerge("entities", a));
    expect((await museum.ask(`/v1/entities/${a}`)).status).toBe(200);
  });

  it("leads nobody to what they may not see, and never from a draft", async () => {
    const [draft, open, closed] = [
      await maker("A", {}, { status: "draft" }),
      await maker("B"),
      await maker("C", {}, { status: "internal" }),
    ];
    await read(merge("entities", draft, open));
    expect((await museum.ask(`/v1/entities/${draft}`)).status).toBe(404);
    expect(await where(`/v1/entities/${draft}`, viewer)).toEqual([301, `/v1/entities/${open}`, "no-cache"]);
    await read(merge("entities", open, closed));
    expect((await museum.ask(`/v1/entities/${open}`)).status).toBe(410);
    expect((await museum.ask(`/entities/${open}`)).status).toBe(410);
    expect((await where(`/v1/entities/${open}`, viewer))[1]).toBe(`/v1/entities/${closed}`);
  });

  onceFor(database)("writes nothing if it fails at the end", async () => {
    const { sql } = museum.services;
    const [into, from, thing] = [await maker("A"), await maker("B"), await work("Thing")];
    await link(`objects/${thing}`, "created_by", "entity", from);
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`;
    await sql`create trigger fail before insert on merges execute function fail()`;
    onTestFinished(async () => void (await sql`drop function fail cascade`));
    expect((await merge("entities", from, into)).status).toBe(500);
    expect(await makers(thing)).toEqual([from]);
    expect((await read(editor(`/v1/entities/${into}`, {}))).metadata_).toEqual({ name: said("A") });
  });
});

describe("the ARK of a merged record", () => {
  it("leads to the other one, whose name ?info tells", async () => {
    const museum = await openMuseum({ env: { ARK_ENABLED: "true", ARK_NAAN: "12345" } });
    onTestFinished(() => museum.close());
    const editor = await museum.as("editor");
    const { maker } = writing(editor);
    const [into, from] = [await maker("Oluf Brander"), await maker("O. Brander")];
    const arks = await museum.services.arks.of(museum.services.sql, [into, from]);
    const path = `/${arks.get(from)!.ark}`;
    await read(editor(`/v1/entities/${from}/merge`, { json: { into } }));
    const answer = await museum.ask(path);
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([303, "no-cache"]);
    expect(answer.headers.get("Location")).toMatch(new RegExp(`/entities/${into}$`));
    const erc = await (await museum.ask(`${path}?info`)).text();
    expect(erc).toContain("what: Oluf Brander");
    expect(erc).toContain(arks.get(into)!.url);
    await read(editor(`/v1/entities/${into}/status`, { json: { status: "draft" } }));
    expect((await museum.ask(path)).status).toBe(410);
  });
});
