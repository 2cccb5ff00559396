/** What shows the label of a term follows its change: the records that use it, and no others. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { graphProjection } from "../../src/linked-data/graph-projection.ts";
import { outdatedProjections } from "../../src/records/projections.ts";
import { compareIndex } from "../../src/search/compare.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { create, createObject, english, posted, read } from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

const TERMS = "/v1/vocabularies/material/terms";

describe.each(databases)("a changed term, in the %s database,", async (database) => {
  const museum = await museumHere({ database, env: { TRIPLESTORE_ENABLED: "true" } });
  const staff = await museum.as("superuser");
  let maker: string;
  const objects = new Map<string, string>();
  const terms = new Map<string, { id: string }>();

  const patch = (path: string, json: unknown) => read(staff(path, { method: "PATCH", json }));
  const term = (value: string) => `${TERMS}/${terms.get(value)!.id}`;
  const add = async (value: string, broader?: string) => {
    const broader_id = broader === undefined ? null : terms.get(broader)!.id;
    const json = { value, label: { en: `${value} as first called` }, broader_id };
    terms.set(value, await read(staff(TERMS, { json }), 201));
  };
  const object = async (value: string, status = "public") => {
    const metadata_ = { title: english(`Of ${value}`), material: [{ value }] };
    objects.set(`${value} ${status}`, (await createObject(staff, `Of ${value}`, { status, metadata_ })).id);
  };
  const label = (value: string, name: string) => patch(term(value), { label: { en: name } });

  /** The records that wait for the triple store, by name: `!` if they hide something. */
  async function waiting(): Promise<string[]> {
    const names = new Map([...objects, ["maker", maker] as const].map(([name, id]) => [id, name]));
    const rows = await museum.services.sql<{ record_id: string; hides: boolean }[]>`
      select record_id, hides from outbox where target = 'graph'`;
    return rows.map(({ record_id, hides }) => `${names.get(record_id)}${hides ? "!" : ""}`).sort();
  }
  const withdrawn = async () => (await museum.services.sql`delete from withdrawals returning id`).length > 0;
  const query = "SELECT ?o { ?s ?p ?o FILTER(isLiteral(?o)) }";
  /** The status and the texts; to its end, since the next query waits for that. */
  const sparql = async () => {
    const answer = await staff(`/sparql?query=${encodeURIComponent(query)}`);
    return { status: answer.status, text: await answer.text() };
  };
  /** All graphs, in which nothing waits. */
  const graphs = async () => {
    await drainOutbox(museum.services);
    const rows = await museum.services.sql<{ name: string; triples: string }[]>`
      select name, triples from graphs where triples <> '' order by name`;
    return rows.map(({ name, triples }) => `${name}\n${triples}`);
  };

  beforeAll(async () => {
    // takes words that are no terms, too
    await patch("/v1/schemas/object/material", { field_type: "vocab_free" });
    await add("hardwood");
    await add("tulipwood", "hardwood");
    await add("kingwood", "tulipwood");
    await add("pinchbeck");
    for (const value of [...terms.keys(), "dyed felt"]) await object(value);
    await object("tulipwood", "draft");
    maker = (await create(staff, "entity", { status: "public", metadata_: { name: english("Ida Brandt") } }))
      .id;
    const link = { relation_type: "created_by", to_type: "entity", to_id: maker };
    const role = { role: [{ value: "water gilder" }] };
    await posted(staff, `/v1/objects/${objects.get("pinchbeck public")}/relations`, {
      ...link,
      metadata_: role,
    });
    terms.set(
      "water gilder",
      await posted(staff, "/v1/vocabularies/role/terms", {
        value: "water gilder",
        label: { en: "who gilds" },
      }),
    );
    await drainOutbox(museum.services);
  }, 60_000);
  beforeEach(async () => {
    await drainOutbox(museum.services);
    await museum.services
      .sql`update projections set is_filled = true, configuration_version = (select version from configuration)`;
    await withdrawn();
  });

  it("marks those that show it: by itself, as the next broader term, or as the role in a link", async () => {
    await label("tulipwood", "tulip wood");
    expect(await waiting()).toEqual(["kingwood public!", "tulipwood public!"]);
    await label("hardwood", "hard wood");
    expect(await waiting()).toEqual(["hardwood public!", "kingwood public!", "tulipwood public!"]);
    await patch(`/v1/vocabularies/role/terms/${terms.get("water gilder")!.id}`, {
      label: { en: "water gilder" },
    });
    expect(await waiting()).toEqual([
      "hardwood public!",
      "kingwood public!",
      "maker!",
      "pinchbeck public!",
      "tulipwood public!",
    ]);
    expect(await withdrawn()).toBe(true);
    expect(await outdatedProjections(museum.services.sql)).not.toContain(graphProjection.target);
  });

  it("marks those that show an alternative label or a further broader term, and none for what is not shown", async () => {
    await patch(term("kingwood"), { also_broader: [terms.get("pinchbeck")!.id] });
    expect(await waiting()).toEqual(["kingwood public"]);
    await drainOutbox(museum.services);
    await patch(term("pinchbeck"), { alt_label: { en: ["similor", "tombac"] } });
    expect(await waiting()).toEqual(["kingwood public", "pinchbeck public"]);
    await drainOutbox(museum.services);
    expect((await sparql()).text).toContain("tombac");
    await patch(term("pinchbeck"), { alt_label: { en: ["similor"] } });
    expect(await waiting()).toEqual(["kingwood public!", "pinchbeck public!"]);
    expect((await sparql()).text).not.toContain("tombac");
    await withdrawn();
    for (const unshown of ["hidden_label", "definition", "scope_note"])
      await patch(term("pinchbeck"), {
        [unshown]: { en: unshown === "hidden_label" ? ["pinchbek"] : "An alloy" },
      });
    expect(await waiting()).toEqual([]);
    await patch(term("kingwood"), { also_broader: [] });
    expect(await waiting()).toEqual(["kingwood public!"]);
  });

  it("is answered by /sparql at once, by its new label only", async () => {
    expect((await sparql()).text).toContain("pinchbeck as first called");
    await label("pinchbeck", "copper and zinc");
    const { status, text } = await sparql();
    expect(status).toBe(200);
    expect(text).toContain("copper and zinc");
    expect(text).not.toContain("pinchbeck as first called");
    expect(await waiting()).toEqual([]);
  });

  it("takes nothing back by a further label, or another place in the list", async () => {
    await patch(term("pinchbeck"), { label: { de: "Messing" } });
    expect(await waiting()).toEqual(["pinchbeck public"]);
    await drainOutbox(museum.services);
    await patch(term("pinchbeck"), { sort_order: 7 });
    expect(await waiting()).toEqual([]);
    expect(await withdrawn()).toBe(false);
    expect(await outdatedProjections(museum.services.sql)).not.toContain(graphProjection.target);
  });

  it("takes itself back when it is deleted, renamed or moved, and comes to words that were free", async () => {
    await read(staff(term("kingwood"), { method: "DELETE" }), 204);
    expect(await waiting()).toEqual(["kingwood public!"]);
    await drainOutbox(museum.services);
    await patch(term("pinchbeck"), { value: "dyed felt" });
    expect(await waiting()).toEqual(["dyed felt public!", "pinchbeck public!"]);
    await patch(term("pinchbeck"), { value: "pinchbeck" });
    await drainOutbox(museum.services);
    await patch(term("tulipwood"), { broader_id: null });
    expect(await waiting()).toEqual(["tulipwood public!"]);
    expect(await withdrawn()).toBe(true);
  });

  it("waits for all of the triple store only after other changes, and a new term hides nothing", async () => {
    await add("kingwood");
    expect(await outdatedProjections(museum.services.sql)).toContain(graphProjection.target);
    expect((await sparql()).status).toBe(200);
    // what is behind stays behind
    await label("pinchbeck", "pinchbeck alloy");
    expect(await outdatedProjections(museum.services.sql)).toContain(graphProjection.target);
    expect((await sparql()).status).toBe(200);
  });

  it("of attribution is followed by search, pages and triples, and stays while a link uses it", async () => {
    const path = "/v1/vocabularies/attribution_qualifier";
    const { id } = await posted<{ id: string }>(staff, `${path}/terms`, {
      value: "hand_of",
      label: { en: "penultimate hand of" },
    });
    const piece = await createObject(staff, "Of a hand", { status: "public" });
    objects.set("hand", piece.id);
    const json = {
      ...{ relation_type: "created_by", to_type: "entity", to_id: maker },
      metadata_: { qualifier: [{ value: "hand_of" }] },
    };
    await read(staff(`/v1/objects/${piece.id}/relations`, { json }), 201);
    await drainOutbox(museum.services);
    await museum.services
      .sql`update projections set is_filled = true, configuration_version = (select version from configuration)`;
    const page = async () =>
      (await museum.ask(`/objects/${piece.id}`, { headers: { Accept: "text/html" } })).text();
    const found = async (words: string) => {
      const { items } = await read<{ items: { id: string }[] }>(
        museum.ask(`/v1/search?q=${encodeURIComponent(`${words} of Brandt`)}`),
      );
      return items.map((item) => item.id);
    };
    expect(await found("penultimate hand")).toEqual([piece.id]);
    expect(await page()).toContain("penultimate hand of Ida Brandt");
    await patch(`${path}/terms/${id}`, { label: { en: "ultimate pupil of" } });
    expect(await page()).toContain("ultimate pupil of Ida Brandt");
    expect(await waiting()).toEqual(["hand!", "maker!"]);
    expect((await sparql()).text).toMatch(/ultimate pupil(?!.*penultimate)/s);
    await drainOutbox(museum.services);
    expect([await found("ultimate pupil"), await found("penultimate hand")]).toEqual([[piece.id], []]);
    for (const [request, wrong] of [
      [{ method: "DELETE" }, "term.in_use"],
      [{ method: "PATCH", json: { value: "foot_of" } }, "term.value_in_use"],
    ] as const)
      expect(await read(staff(`${path}/terms/${id}`, request), 409)).toMatchObject({ code: wrong });
    expect(await read(staff(path, { method: "DELETE" }), 409)).toMatchObject({ code: "vocabulary.fixed" });
    await read(staff(`/v1/objects/${piece.id}?force=true`, { method: "DELETE" }), 204);
    await read(staff(`${path}/terms/${id}`, { method: "DELETE" }), 409);
  });

  it("is found with the records that use it, by all of its names and by none that it had", async () => {
    const { sql } = museum.services;
    const found = async (q: string) => {
      await drainOutbox(museum.services);
      const { items } = await read<{ items: { title: string }[] }>(museum.ask(`/v1/search?q=${q}`));
      return items.map(({ title }) => title).sort();
    };
    const indexed = async () => {
      await drainOutbox(museum.services);
      return compareIndex(museum.services, null);
    };
    await patch(term("pinchbeck"), {
      label: { de: "Talmigold" },
      ...{ alt_label: { en: ["similor"], und: ["tombacum"] }, hidden_label: { en: ["mosaicgold"] } },
    });
    for (const name of ["Talmigold", "similor", "tombacum", "MOSAICgold"])
      expect([name, await found(name)]).toEqual([name, ["Of pinchbeck"]]);
    await patch(term("pinchbeck"), { alt_label: { en: ["oreide"] }, hidden_label: null });
    for (const name of ["similor", "mosaicgold"]) expect([name, await found(name)]).toEqual([name, []]);
    expect(await found("oreide")).toEqual(["Of pinchbeck"]);
    // the names of a term that is made later, changes its value, and goes
    const felt = await posted<{ id: string }>(staff, TERMS, {
      value: "dyed felt",
      alt_label: { en: ["baize"] },
    });
    expect(await found("baize")).toEqual(["Of dyed felt"]);
    await patch(`${TERMS}/${felt.id}`, { value: "felt" });
    expect(await found("baize")).toEqual([]);
    await patch(`${TERMS}/${felt.id}`, { value: "dyed felt" });
    expect(await found("baize")).toEqual(["Of dyed felt"]);
    await read(staff(`${TERMS}/${felt.id}`, { method: "DELETE" }), 204);
    expect(await found("baize")).toEqual([]);
    // a field that takes its words from elsewhere, or is for staff
    await read(staff("/v1/vocabularies", { json: { name: "alloys", label: { en: "Alloys" } } }), 201);
    await patch("/v1/schemas/object/material", { vocabulary: "alloys" });
    expect(await found("oreide")).toEqual([]);
    await patch("/v1/schemas/object/material", { vocabulary: "material", is_public: false });
    expect(await found("oreide")).toEqual([]);
    await patch("/v1/schemas/object/material", { is_public: true });
    expect(await found("oreide")).toEqual(["Of pinchbeck"]);
    const many =
      await sql`select id from vocabulary_terms where vocabulary = 'material' and value like '%wood%'`;
    for (const [round, { id }] of many.entries()) {
      const name = `odd${round}`;
      await patch(
        `${TERMS}/${id}`,
        round % 2 === 0 ? { label: { fr: name } } : { hidden_label: { fr: [name] } },
      );
    }
    expect(await indexed()).toMatchObject({ differing: 0, waiting: 0 });
  });

  it("leaves the same triples and public dates as if everything were made anew, whatever changes", async () => {
    const seen = new Set<string>();
    let seed = 7;
    const below = (n: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % n;
    };
    const values = ["hardwood", "tulipwood", "kingwood", "pinchbeck"];
    for (let round = 0; round < 30; round++) {
      const value = values[below(values.length)]!;
      const other = values[below(values.length)]!;
      const json = [
        { label: { en: `${value} ${round}` } },
        { label: { [["de", "fr", "it"][below(3)]!]: `${value} ${round}` } },
        { alt_label: { en: [`${value} ${round}`, "wood"] } },
        { also_broader: value === other ? [] : [terms.get(other)!.id] },
        { uri: `https://vocabulary.example.org/${round}` },
        { broader_id: value === other ? null : terms.get(other)!.id },
      ][below(6)]!;
      // 422: it would lie below itself
      const { status } = await staff(term(value), { method: "PATCH", json });
      expect([200, 422]).toContain(status);
      seen.add(`${Object.keys(json)[0]} ${status}`);
    }
    expect(seen.size).toBeGreaterThan(5);
    const followed = await graphs();
    const dates = () =>
      museum.services.sql`select record_id, fingerprint from public_dates order by record_id`;
    const dated = [...(await dates())];
    await museum.services.sql`
      insert into outbox (target, record_id) select p.target, r.id from projections p, records r where published_at is not null`;
    expect(await graphs()).toEqual(followed);
    expect([...(await dates())]).toEqual(dated);
  });
});
