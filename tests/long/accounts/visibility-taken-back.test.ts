/** What is public no more is nowhere to be had from that moment on, whatever was made or kept of it before. */
import { beforeAll, describe, expect, it } from "vitest";
import { drainOutbox } from "../../../workers/drain-outbox.ts";
import type { JobInput } from "../../../workers/job-kind.ts";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { create, createObject, english, posted, read } from "../../support/museum/catalogue.ts";
import { jpeg, send } from "../../support/museum/media.ts";
import { museumHere } from "../../support/museum/museum.ts";
import { type Outlet, outletsOf, readOutlets } from "../../support/public-outlets.ts";

/** In names of what is taken back: a word that stands nowhere else. */
const WORDS = {
  record: "Gadwall",
  field: "Wigeon",
  "value of several": "Smew",
  "value that is replaced": "Pochard",
  medium: "Eider",
  caption: "Garganey",
  link: "Shelduck",
  "label of a term": "Goosander",
  parent: "Pintail",
  "text of a department": "Scoter",
  "text of the museum": "Merganser",
  "field that becomes private": "Shoveler",
  "type of link that becomes private": "Dunlin",
} as const;
type Taken = keyof typeof WORDS;

describe("what is taken back", async () => {
  const museum = await museumHere({
    env: {
      TRIPLESTORE_ENABLED: "true",
      SPARQL_REQUIRE_AUTH: "false",
      ARK_ENABLED: "true",
      ARK_NAAN: "12345",
    },
  });
  const staff = await museum.as("superuser");
  let paths: string[];
  let before: Map<string, Outlet>;
  const takeBack = {} as Record<Taken, () => Promise<unknown>>;
  const patch = (path: string, json: unknown) => read(staff(path, { method: "PATCH", json }));
  const make = () =>
    KIND_WORK.dump.run({ services: museum.services, report: async () => undefined } as unknown as JobInput);

  beforeAll(async () => {
    const status = "public";
    await posted(staff, "/v1/vocabularies/material/terms", {
      value: "down",
      label: { en: `${WORDS["label of a term"]} down` },
    });
    await posted(staff, "/v1/relation-types", {
      name: "dunlin_of",
      inverse: "has_dunlin",
      label: { en: WORDS["type of link that becomes private"] },
      inverse_label: { en: "x" },
      from_types: ["object"],
      to_types: ["entity"],
    });
    const maker = await create(staff, "entity", {
      status,
      metadata_: { name: english(`${WORDS.record} and sons`) },
    });
    const other = await create(staff, "entity", { status, metadata_: { name: english("A public firm") } });
    const above = await create(staff, "collection", {
      status,
      metadata_: { title: english(`${WORDS.parent} bequest`) },
    });
    const below = await create(staff, "collection", {
      status,
      parent_id: above.id,
      metadata_: { title: english("Decoys") },
    });
    const { id } = await createObject(staff, "Decoy duck", {
      status,
      metadata_: {
        description: english(`Carved by ${WORDS.field}`),
        subject: [{ value: "bird" }, { value: `${WORDS["value of several"]} pond` }],
        culture: [{ value: `${WORDS["value that is replaced"]} people` }],
        material: [{ value: "down" }],
        department: [{ value: `${WORDS["text of a department"]} room` }],
        provenance: english(`Bought from ${WORDS["field that becomes private"]}`),
      },
    });
    const linked = async (relation_type: string, to_type: string, to_id: string, metadata_ = {}) =>
      posted<{ id: string }>(staff, `/v1/objects/${id}/relations`, {
        relation_type,
        to_type,
        to_id,
        metadata_,
      });
    await linked("created_by", "entity", maker.id);
    await linked("in_collection", "collection", below.id);
    await linked("dunlin_of", "entity", other.id);
    const link = await linked("created_by", "entity", other.id, {
      role: [{ value: `${WORDS.link} carver` }],
    });
    const pictured = async (filename: string, caption: string) =>
      (await (await send(staff, id, await jpeg(40, 30), filename, { caption })).json()) as {
        media_id: string;
      };
    const hidden = await pictured(`${WORDS.medium}.jpg`, `${WORDS.medium} from the left`);
    const captioned = await pictured("plain.jpg", `${WORDS.caption} from the right`);
    await patch("/v1/settings", { name: { en: `${WORDS["text of the museum"]} Museum` } });
    await drainOutbox(museum.services);
    await make();

    const object = `/v1/objects/${id}`;
    takeBack.record = () => read(staff(`/v1/entities/${maker.id}/status`, { json: { status: "draft" } }));
    takeBack.field = () => patch(object, { metadata_: { description: null } });
    takeBack["value of several"] = () => patch(object, { metadata_: { subject: [{ value: "bird" }] } });
    takeBack["value that is replaced"] = () =>
      patch(object, { metadata_: { culture: [{ value: "unknown" }] } });
    takeBack.medium = () => patch(`${object}/media/${hidden.media_id}`, { visibility: "private" });
    takeBack.caption = () => patch(`${object}/media/${captioned.media_id}`, { caption: "" });
    takeBack.link = () => read(staff(`${object}/relations/${link.id}`, { method: "DELETE" }), 204);
    takeBack["label of a term"] = async () => {
      const { items } = await read<{ items: { id: string; value: string }[] }>(
        staff("/v1/vocabularies/material/terms?page_size=200"),
      );
      const term = items.find(({ value }) => value === "down")!;
      return patch(`/v1/vocabularies/material/terms/${term.id}`, { label: { en: "down" } });
    };
    takeBack.parent = () => read(staff(`/v1/collections/${above.id}?force=true`, { method: "DELETE" }), 204);
    takeBack["text of a department"] = () => patch(object, { metadata_: { department: null } });
    takeBack["text of the museum"] = () => patch("/v1/settings", { name: { en: null } });
    takeBack["field that becomes private"] = () =>
      patch("/v1/schemas/object/provenance", { is_public: false });
    takeBack["type of link that becomes private"] = () =>
      patch("/v1/relation-types/dunlin_of", { is_public: false });

    const { ark } = await read<{ ark: string }>(staff(`${object}?include=ark`));
    const files = (await read<{ files: { name: string }[] }>(museum.ask("/dumps/index.json"))).files;
    const facets = ["subject", "culture", "material", "department"];
    paths = outletsOf(
      museum,
      {
        id: [id, maker.id, other.id, above.id, below.id],
        media_id: [hidden.media_id, captioned.media_id],
        identifier: [hidden.media_id, captioned.media_id],
        region: ["full"],
        size: ["max"],
        rotation: ["0"],
        quality: ["default.jpg"],
        naan: ["12345"],
        name: [ark.split("/").at(-1)!, "material", "dunlin_of"],
        field: facets,
        type: ["object"],
        file: files.map(({ name }) => name),
        page: ["0"],
      },
      [
        `/v1/search?facets=${facets.join(",")}`,
        `/portal/v1/search?q=decoy&facets=${facets.join(",")}`,
        "/search?type=object",
        "/search?q=decoy",
        ...Object.values(WORDS).flatMap((word) => [
          `/v1/search/suggest?q=${word.slice(0, 4)}`,
          `/portal/v1/search/suggest?q=${word.slice(0, 4)}`,
        ]),
        `/ark:/${ark.slice(4)}?info`,
      ],
    );
    before = await readOutlets(museum, paths);
  }, 120_000);

  const where = (outlets: ReadonlyMap<string, Outlet>, word: string) =>
    [...outlets].flatMap(([key, { text }]) => (text.includes(word) ? key : [])).sort();
  const found = async (word: string): Promise<number> =>
    (await read<{ total: number }>(museum.ask(`/v1/search?q=%22${word}%22`))).total;

  it.each(Object.keys(WORDS) as Taken[])("a %s is nowhere from that moment on", async (taken) => {
    const word = WORDS[taken];
    const places = where(before, word);
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((key) => key.startsWith("/dumps/")).length).toBeGreaterThan(0);
    await make();
    expect((await museum.ask("/dumps/objects.ndjson.gz")).status).toBe(200);

    await takeBack[taken]();
    const tags = new Map(
      places.flatMap((key) => {
        const etag = before.get(key)!.etag;
        return etag === null ? [] : [[key, etag]];
      }),
    );
    const after = await readOutlets(museum, paths, tags);
    expect(where(after, word)).toEqual([]);
    expect([...after].filter(([, { status }]) => status === 304 || status === 500)).toEqual([]);
    expect(await found(word)).toBe(0);
    expect((await museum.ask("/dumps/objects.ndjson.gz")).status).toBe(503);
    if (taken === "medium")
      for (const key of places.filter((place) => /^\/(iiif\/3|(v1\/)?objects\/[^/]+\/media)\//.test(place)))
        expect([key, after.get(key)!.status]).toEqual([key, 404]);
  });
});
