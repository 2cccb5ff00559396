/** Two terms that are one: what follows, what is refused, where the old address and the old value lead, and the way back. */
import { beforeAll, describe, expect, it } from "vitest";
import { importSkos } from "../../src/vocabularies/terms/skos.ts";
import {
  linking,
  type ProblemJson,
  patched,
  posted,
  type RecordJson,
  read,
} from "../support/museum/catalogue.ts";
import { databases, museumHere } from "../support/museum/museum.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not computed with
type Answer = any;
const said = (value: string) => [{ value }];

describe.each(databases)("merging terms (%s)", async (database) => {
  const museum = await museumHere({ database });
  const admin = await museum.as("admin");
  beforeAll(async () => {
    await read(admin("/v1/vocabularies", { json: { name: "timber", label: { en: "Timber" } } }), 201);
    const field = { name: "timber", label: { en: "Timber" }, field_type: "vocab", vocabulary: "timber" };
    const more = { is_repeatable: true, is_public: true, is_facet: true, is_searchable: "B" };
    await read(admin("/v1/schemas/object", { json: { ...field, ...more } }), 201);
  });

  const terms = "/v1/vocabularies/timber/terms";
  const term = async (value: string, more: object = {}, path = terms) =>
    (await read<Answer>(admin(path, { json: { value, ...more } }), 201)).id as string;
  const object = (...timber: string[]) =>
    posted<RecordJson>(admin, "/v1/objects", {
      object_type: "painting",
      status: "public",
      metadata_: { title: said(`A table of ${timber}`), timber: timber.flatMap(said) },
    });
  const timberOf = async (id: string) => {
    const { metadata_ } = await read<RecordJson>(admin(`/v1/objects/${id}`));
    return metadata_.timber?.map(({ value }) => value);
  };
  const merge = (id: string, into: string, query = "", headers = {}, path = terms) =>
    admin(`${path}/${id}/merge${query}`, { json: { into }, headers });
  const unmerge = (id: string) => admin(`${terms}/${id}/unmerge`, { json: {} });
  const code = async (answer: Promise<Response>, status: number) => {
    const { code, errors } = await read<ProblemJson>(answer, status);
    return errors?.[0]?.code ?? code;
  };

  it("moves records, facets, names and narrower terms, and all goes back", async () => {
    const wood = await term("wood");
    const oak = await term("oak", { label: { en: "Oak" }, uri: "https://example.org/oak", broader_id: wood });
    const oaks = await term("oaks", {
      label: { de: "Eiche" },
      alt_label: { en: ["oak wood"] },
      uri: "https://example.org/oaks",
    });
    const bog = await term("bog oak", { broader_id: oaks });
    const [one, both] = [await object("oaks"), await object("oak", "oaks")];

    const trial = await read<Answer>(merge(oaks, oak, "?dry_run=true"));
    expect(trial.moved).toEqual({ records: 2, links: 0, links_joined: 0, below: 1 });
    expect(await timberOf(one.id)).toEqual(["oaks"]);
    const { term: now } = await read<Answer>(merge(oaks, oak));
    expect(now).toEqual(trial.term);
    expect(now).toMatchObject({
      id: oak,
      label: { en: "Oak", de: "Eiche" },
      alt_label: { und: ["oaks"], en: ["oak wood"] },
      uri: "https://example.org/oak",
      broader_id: wood,
    });
    expect([await timberOf(one.id), await timberOf(both.id)]).toEqual([["oak"], ["oak"]]);
    expect(await read<Answer>(admin(`${terms}/${bog}`))).toMatchObject({ broader_id: oak });
    const found = await read<Answer>(museum.ask("/v1/search?facets=timber&meta_timber=oaks"));
    expect([found.total, found.facets.timber]).toEqual([
      2,
      [
        { value: "oak", count: 2 },
        { value: "wood", count: 2 },
      ],
    ]);
    expect((await read<Answer>(museum.ask("/v1/search?q=oaks"))).total).toBe(2);

    const old = await museum.ask(`${terms}/${oaks}`);
    expect([old.status, old.headers.get("Location"), old.headers.get("Cache-Control")]).toEqual([
      301,
      `${terms}/${oak}`,
      "no-cache",
    ]);
    // as imports and old programs write it
    expect(await timberOf((await object("oaks")).id)).toEqual(["oak"]);
    const { version } = await read<Answer>(admin(`/v1/objects/${one.id}?include=version`));
    const history = await read<Answer>(admin(`/v1/objects/${one.id}/history`));
    expect(history.items[0]).toMatchObject({ version, action: "updated" });

    const undone = await read<Answer>(unmerge(oaks));
    expect(undone.left).toEqual([]);
    expect(undone.term).toMatchObject({ id: oaks, value: "oaks", label: { de: "Eiche" } });
    expect(undone.other).toMatchObject({ label: { en: "Oak" }, alt_label: {} });
    expect([await timberOf(one.id), await timberOf(both.id)]).toEqual([["oaks"], ["oak", "oaks"]]);
    expect(await read<Answer>(admin(`${terms}/${bog}`))).toMatchObject({ broader_id: oaks });
    expect((await museum.ask(`${terms}/${oaks}`)).status).toBe(200);
  });

  it("joins links that say the same role then", async () => {
    const roles = "/v1/vocabularies/role/terms";
    const [engraver, engravers] = [
      await term("test gilder", {}, roles),
      await term("test gilders", {}, roles),
    ];
    const maker = await posted<Answer>(admin, "/v1/entities", {
      entity_type: "person",
      status: "public",
      metadata_: { name: said("Ida") },
    });
    const { id } = await object();
    for (const role of ["test gilder", "test gilders"])
      await linking(admin)(id, "created_by", "entity", maker.id, { role: said(role) });
    const { moved } = await read<Answer>(merge(engravers, engraver, "", {}, roles));
    expect(moved).toMatchObject({ links: 0, links_joined: 1 });
    const links = async () =>
      (await read<Answer>(admin(`/v1/objects/${id}/relations`))).items.map(
        (each: Answer) => each.metadata_.role[0].value,
      );
    expect(await links()).toEqual(["test gilder"]);
    await read(admin(`${roles}/${engravers}/unmerge`, { json: {} }));
    expect((await links()).sort()).toEqual(["test gilder", "test gilders"]);
  });

  it("needs read and update of the records that it changes, and of those whose links it changes", async () => {
    const { sql } = museum.services;
    const put = (records: object) => {
      const permissions = sql.json({ records, features: ["schemas:manage"] } as never);
      return sql`
        insert into roles (name, permissions) values ('terms_only', ${permissions})
        on conflict (name) do update set permissions = excluded.permissions`;
    };
    await put({});
    const termsOnly = await museum.as("terms_only" as "editor");
    const roles = "/v1/vocabularies/role/terms";
    const [carver, carvers] = [await term("test carver", {}, roles), await term("test carvers", {}, roles)];
    const [yew, yews] = [await term("yew"), await term("yews")];
    const { id } = await object("yews");
    const person = { entity_type: "person", metadata_: { name: said("Ada") } };
    const maker = await read<Answer>(admin("/v1/entities", { json: person }), 201);
    const link = { relation_type: "created_by", to_type: "entity", to_id: maker.id };
    const role = { role: said("test carvers") };
    await read(admin(`/v1/objects/${id}/relations`, { json: { ...link, metadata_: role } }), 201);
    const pairs = [
      [`${roles}/${carvers}`, carver],
      [`${terms}/${yews}`, yew],
    ] as const;
    const statuses = async (way: string) => {
      const all: number[] = [];
      for (const [path, into] of pairs)
        all.push(
          (await termsOnly(`${path}/${way}`, { json: way.startsWith("merge") ? { into } : {} })).status,
        );
      return all;
    };
    const neither = [403, 403];
    for (const records of [{}, { entity: ["read", "update"] }, { object: ["read", "publish"] }]) {
      await put(records);
      expect([await statuses("merge?dry_run=true"), await statuses("merge")]).toEqual([neither, neither]);
    }
    await put({ object: ["read", "update"] });
    expect([await statuses("merge?dry_run=true"), await statuses("merge")]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await put({});
    expect(await statuses("unmerge")).toEqual(neither);
    await put({ object: ["read", "update"] });
    expect(await statuses("unmerge")).toEqual([200, 200]);
  });

  it("leads through several merges in one step, and undoes the last one first", async () => {
    const [a, b, c] = [await term("ash"), await term("ashes"), await term("ash wood")];
    const { id } = await object("ashes");
    await read(merge(b, a));
    await read(merge(a, c));
    expect((await museum.ask(`${terms}/${b}`)).headers.get("Location")).toBe(`${terms}/${c}`);
    expect(await timberOf(id)).toEqual(["ash wood"]);
    expect(await code(unmerge(b), 409)).toBe("term.merged_again");
    await read(unmerge(a));
    await read(unmerge(b));
    expect(await timberOf(id)).toEqual(["ashes"]);
  });

  it("keeps what somebody has changed since, and lists it", async () => {
    const [elm, elms] = [await term("elm"), await term("elms", { label: { de: "Ulme" } })];
    const { id } = await object("elms");
    await read(merge(elms, elm));
    await patched(admin, `/v1/objects/${id}`, { metadata_: { timber: ["elm", "wood"].flatMap(said) } });
    await read(admin(`${terms}/${elm}`, { method: "PATCH", json: { label: { de: "Rüster" } } }));
    const { left, other } = await read<Answer>(unmerge(elms));
    expect(left).toEqual([
      { what: "field", id: null, name: "label" },
      { what: "record", id, name: expect.any(String) },
    ]);
    expect(other).toMatchObject({ label: { de: "Rüster" }, alt_label: {} });
  });

  it("an older version comes back with the terms of now, and with no link twice", async () => {
    const roles = "/v1/vocabularies/role/terms";
    const [carver, carvers] = [await term("test joiner", {}, roles), await term("test joiners", {}, roles)];
    const [walnut, walnuts] = [await term("walnut"), await term("walnuts")];
    const person = { entity_type: "person", metadata_: { name: said("Ada") } };
    const [{ id: stays }, { id: comes }] = [
      await read<Answer>(admin("/v1/entities", { json: person }), 201),
      await read<Answer>(admin("/v1/entities", { json: person }), 201),
    ];
    const { id } = await object("walnuts");
    const link = async (to_id: string, role: string) => {
      const metadata_ = { role: said(role) };
      const json = { relation_type: "created_by", to_type: "entity", to_id, metadata_ };
      return (await read<Answer>(admin(`/v1/objects/${id}/relations`, { json }), 201)).id as string;
    };
    const version = async () => (await read<Answer>(admin(`/v1/objects/${id}?include=version`))).version;
    const first = await link(stays, "test joiners");
    const then = await version();
    const relation = `/v1/objects/${id}/relations/${first}`;
    await read(admin(relation, { method: "PATCH", json: { metadata_: { role: said("another role") } } }));
    await link(comes, "test joiners");
    await read(admin(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_: { timber: [] } } }));
    await read(merge(walnuts, walnut));
    await read(merge(carvers, carver, "", {}, roles));
    await read(admin(`/v1/objects/${id}/history/${then}/restore?part=all`, { method: "POST" }));
    expect(await timberOf(id)).toEqual(["walnut"]);
    const { items } = await read<Answer>(admin(`/v1/objects/${id}/relations`));
    expect(items.map((each: Answer) => [each.id, each.to_id, each.metadata_.role[0].value])).toEqual([
      [first, stays, "test joiner"],
    ]);
  });

  it("undoing an older merge of records brings their links back with the terms of now", async () => {
    const roles = "/v1/vocabularies/role/terms";
    const [turner, turners] = [await term("test turner", {}, roles), await term("test turners", {}, roles)];
    const person = { entity_type: "person", metadata_: { name: said("Eva") } };
    const one = (await read<Answer>(admin("/v1/entities", { json: person }), 201)).id;
    const two = (await read<Answer>(admin("/v1/entities", { json: person }), 201)).id;
    const [moved, double] = [await object(), await object()];
    for (const [{ id }, to_id] of [
      [moved, one],
      [double, one],
      [double, two],
    ] as const) {
      const metadata_ = { role: said("test turners") };
      const json = { relation_type: "created_by", to_type: "entity", to_id, metadata_ };
      await read(admin(`/v1/objects/${id}/relations`, { json }), 201);
    }
    await read(admin(`/v1/entities/${one}/merge`, { json: { into: two } }));
    await read(merge(turners, turner, "", {}, roles));
    const { left } = await read<Answer>(admin(`/v1/entities/${one}/unmerge`, { json: {} }));
    expect(left).toEqual([]);
    const links = async ({ id }: { id: string }) => {
      const { items } = await read<Answer>(admin(`/v1/objects/${id}/relations`));
      return items.map((each: Answer) => [each.to_id, each.metadata_.role[0].value]).sort();
    };
    expect(await links(moved)).toEqual([[one, "test turner"]]);
    expect(await links(double)).toEqual(
      [
        [one, "test turner"],
        [two, "test turner"],
      ].sort(),
    );
  });

  it("takes what SKOS files say of the merged term for the other one", async () => {
    const [fir, firs] = [await term("fir"), await term("firs", { uri: "https://example.org/firs" })];
    await read(merge(firs, fir));
    const done = await importSkos(
      museum.services,
      "timber",
      `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
       <https://example.org/firs> a skos:Concept ; skos:prefLabel "firs" .
       <https://example.org/silver> a skos:Concept ; skos:prefLabel "silver fir" ; skos:broader <https://example.org/firs> .`,
      false,
    );
    expect(done).toMatchObject({
      added: [{ value: "silver fir", broader: ["fir"] }],
      changed: [],
      unchanged: 1,
    });
    expect(await read<Answer>(admin(`${terms}/${fir}`))).toMatchObject({ alt_label: { und: ["firs"] } });
  });

  it("refuses what makes no sense", async () => {
    const [lime, limes] = [await term("lime"), await term("limes")];
    const [other] = (await read<Answer>(admin("/v1/vocabularies/role/terms"))).items;
    expect(await code(merge(lime, lime), 422)).toBe("term.merge_itself");
    expect(await code(merge(lime, other.id), 422)).toBe("term.not_found");
    expect(await code(merge(other.id, lime), 404)).toBe("term.not_found");
    expect(await code(unmerge(lime), 404)).toBe("term.merge_not_found");
    await code(merge(limes, lime, "", { "If-Match": '"old"' }), 412);
    await read(merge(limes, lime));
    expect(await code(merge(lime, limes), 422)).toBe("term.merged");
    expect((await merge(limes, lime)).status).toBe(404);
    // the word is there again
    await term("limes");
    expect(await code(unmerge(limes), 409)).toBe("term.exists");
    const cataloger = await museum.as("cataloger");
    expect((await cataloger(`${terms}/${lime}/merge`, { json: { into: limes } })).status).toBe(403);
    await museum.services.sql`update term_merges set at = at - interval '31 days' where term_id = ${limes}`;
    expect(await code(unmerge(limes), 409)).toBe("term.merge_expired");
    expect((await museum.ask(`${terms}/${limes}`)).status).toBe(301);
  });

  it("offers spellings, plurals and the same address, and not what somebody found different", async () => {
    const pairs = async (query = "") => {
      const { items } = await read<Answer>(admin(`${terms}/duplicates?page_size=200${query}`));
      return items.map((each: Answer) =>
        each.terms
          .map(({ value }: Answer) => value)
          .sort()
          .join(" = "),
      );
    };
    const [beech, beeches] = [await term("beech"), await term("beeches")];
    await term("Palisánder");
    await term("palisander");
    await term("Kiefer", { uri: "https://example.org/pine" });
    await term("pine", { uri: "https://example.org/pine" });
    const offered = await pairs();
    expect(offered).toEqual(
      expect.arrayContaining(["beech = beeches", "Palisánder = palisander", "Kiefer = pine"]),
    );
    const dismissed = `${terms}/duplicates/dismissed`;
    await read(admin(dismissed, { json: { ids: [beeches, beech] } }), 204);
    expect(await pairs()).not.toContain("beech = beeches");
    expect(await pairs("&dismissed=true")).toEqual(["beech = beeches"]);
    await read(admin(`${dismissed}?ids=${beech}&ids=${beeches}`, { method: "DELETE" }), 204);
    expect(await pairs()).toContain("beech = beeches");
    // what was found different from one that goes, is different from the other one
    const third = await term("beech tree");
    await read(admin(dismissed, { json: { ids: [beeches, beech] } }), 204);
    await read(merge(beeches, third));
    const [now] = await museum.services.sql`
      select 1 from not_duplicate_terms where ${third} in (low_id, high_id) and ${beech} in (low_id, high_id)`;
    expect(now).toBeDefined();
    expect(await code(admin(dismissed, { json: { ids: [beech, beech] } }), 422)).toBe("duplicates.same_term");
    expect(await code(admin(dismissed, { json: { ids: [beech, beeches] } }), 422)).toBe("term.not_found");
  });
});
