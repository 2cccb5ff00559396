/** The order of visitors' lists and searches, their cursors and filters, feeds and sitemaps: only public changes move them. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drainOutbox } from "../../../workers/drain-outbox.ts";
import { create, createObject, english, linksOf, type Page, read } from "../../support/museum/catalogue.ts";
import { jpeg, send } from "../../support/museum/media.ts";
import { type Ask, databases, type Museum, openMuseum, quickest } from "../../support/museum/museum.ts";
import { openTypesenseDouble, type TypesenseDouble } from "../../support/search/typesense-double.ts";

const SORTS = ["idno", "title", "created_at", "updated_at"];
const TITLES = ["Astrolabe", "Barometer", "Compass", "Dividers", "Ellipsograph", "Frigate model", "Globe"];

const places = [
  ...databases.map((database) => ({ name: `${database} database`, database, typesense: false })),
  { name: "index in Typesense", database: quickest, typesense: true },
];

describe.each(places)("for visitors, with the $name,", ({ database, typesense }) => {
  let museum: Museum;
  let double: TypesenseDouble | null = null;
  let staff: Ask;
  const objects: string[] = [];
  const makers: string[] = [];
  let draft: string;
  let middle: string;
  let n = 0;

  beforeAll(async () => {
    if (typesense) double = await openTypesenseDouble();
    const env: Record<string, string> = double
      ? { TYPESENSE_URL: double.url, TYPESENSE_API_KEY: double.apiKey }
      : {};
    museum = await openMuseum({ database, env });
    staff = await museum.as("superuser");
    const field = { name: "debts", label: { en: "Debts" }, field_type: "text", is_public: false };
    await read(staff("/v1/schemas/entity", { json: field }), 201);
    for (const title of TITLES) objects.push((await createObject(staff, title, { status: "public" })).id);
    for (const name of ["Ida Brandt", "Eva Holm"])
      makers.push(
        (await create(staff, "entity", { status: "public", metadata_: { name: english(name) } })).id,
      );
    draft = (await createObject(staff, "Not shown")).id;
    for (const name of ["a.jpg", "b.jpg"]) await upload(objects[0]!, name, "public");
    await drainOutbox(museum.services);
    // as if years had passed between the changes, in an order of their own
    for (const [at, id] of [3, 0, 5, 1, 6, 2, 4]
      .map((from) => objects[from]!)
      .concat(makers)
      .entries())
      await museum.services.sql`
        update public_dates set datestamp = ${`20${10 + at}-01-01T00:00:00Z`} where record_id = ${id}`;
    middle = "2012-06-01T00:00:00Z";
    // an index of its own takes the dates from the records
    await museum.services.sql`insert into outbox (target, record_id) select 'search', id from records`;
    await drainOutbox(museum.services);
  }, 60_000);
  afterAll(async () => {
    await museum?.close();
    await double?.close();
  });

  const patch = (path: string, json: unknown) => read(staff(path, { method: "PATCH", json }));
  const upload = async (id: string, name: string, visibility: string) =>
    read<{ media_id: string }>(send(staff, id, await jpeg(24 + (n++ % 40), 16), name, { visibility }), 201);
  const titlesOf = ({ items }: Page) => items.map(({ id }) => TITLES[objects.indexOf(id)] ?? id);
  const search = async (dir: string, ask: Ask = museum.ask) =>
    titlesOf(await read<Page>(ask(`/v1/search?type=object&sort_by=updated_at&sort_dir=${dir}`)));

  /** What visitors get: bodies, ETags, and where each page begins. */
  async function answers(): Promise<Map<string, unknown>> {
    const all = new Map<string, unknown>();
    const directions = SORTS.flatMap((by) => ["asc", "desc"].map((dir) => `sort_by=${by}&sort_dir=${dir}`));
    const lists = ["objects", "entities"].flatMap((plural) => [
      `/v1/${plural}`,
      ...directions.flatMap((order) => [
        `/v1/${plural}?${order}&page_size=3`,
        `/v1/${plural}?${order}&updated_since=${middle}`,
      ]),
    ]);
    for (const start of lists)
      for (let next: string | undefined = start; next !== undefined; ) {
        const answer: Response = await museum.ask(next);
        next = linksOf(answer).next;
        const cursor = new URL(next ?? "", "http://museum").searchParams.get("cursor");
        // the fifth part is the time at which the walk began
        const place = cursor && JSON.parse(Buffer.from(cursor.split(".")[0]!, "base64url").toString());
        all.set(`${start} ${all.size}`, [
          await answer.text(),
          answer.headers.get("ETag"),
          place?.toSpliced(4, 1),
        ]);
      }
    const others = [
      ...directions.flatMap((order) => [`/v1/search?${order}`, `/v1/search?${order}&page_size=2&page=2`]),
      ...["/sitemap.xml", "/sitemap-pages.xml", "/sitemap-records.xml", "/v1/deletions"],
      ...["/oai?verb=ListRecords&metadataPrefix=oai_dc", "/iiif/discovery/changes", "/"],
      ...[`/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&from=${middle}`],
      ...[`/v1/objects/${objects[0]}?include=media,version`, `/v1/objects/${objects[0]}/media`],
    ];
    for (const path of others) {
      const answer = await museum.ask(path);
      const text = (await answer.text()).replaceAll(/nonce[-=]"?[\w+/=-]+|<responseDate>[^<]*/g, "");
      all.set(path, [answer.status, text, answer.headers.get("ETag"), answer.headers.get("Last-Modified")]);
    }
    const { items } = await read<Page<{ media_id: string }>>(museum.ask(`/v1/objects/${objects[0]}/media`));
    for (const { media_id } of items) {
      const answer = await museum.ask(`/v1/objects/${objects[0]}/media/${media_id}`);
      all.set(media_id, [
        await answer.text(),
        answer.headers.get("ETag"),
        answer.headers.get("Last-Modified"),
      ]);
    }
    return all;
  }

  const link = (relation_type: string, to_type: string, to_id: string) => ({ relation_type, to_type, to_id });
  /** @param of which of the records */
  const changes: Record<string, (of: number) => Promise<unknown>> = {
    "a private field": (of) =>
      patch(`/v1/objects/${objects[of]}`, { metadata_: { internal_note: english(`Fragile ${n++}`) } }),
    "a private field of an entity": (of) =>
      patch(`/v1/entities/${makers[of % 2]}`, { metadata_: { debts: english(`Owes ${n++}`) } }),
    "a draft": () => patch(`/v1/objects/${draft}`, { metadata_: { title: english(`Not shown ${n++}`) } }),
    "a new draft": () => createObject(staff, `Draft ${n++}`),
    "a link to a draft": async (of) => {
      const maker = await create(staff, "entity", { metadata_: { name: english(`Nobody ${n++}`) } });
      await read(
        staff(`/v1/objects/${objects[of]}/relations`, { json: link("created_by", "entity", maker.id) }),
        201,
      );
    },
    "private media": async () => {
      const { media_id } = await upload(objects[0]!, `private-${n++}.jpg`, "private");
      const path = `/v1/objects/${objects[0]}/media/${media_id}`;
      await patch(path, { position: 1, caption: "Damage" });
      await read(staff(path, { method: "DELETE" }), 204);
      await read(staff(`${path}/restore`, { method: "POST" }));
    },
  };

  it("no private change moves anything", async () => {
    // the last seconds can be harvested only when they have passed
    await museum.services.sql`select pg_sleep(2.2)`;
    const before = await answers();
    const step = fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat({ max: TITLES.length - 1 }));
    // each of them once, and then any
    const all = Object.keys(changes).map((name, at): [string, number] => [name, at]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const [name, of] of steps) await changes[name]!(of);
        await drainOutbox(museum.services);
        const after = await answers();
        expect(
          [...before].filter(([key, text]) => JSON.stringify(after.get(key)) !== JSON.stringify(text)),
        ).toEqual([]);
      }),
      { examples: [[all]], numRuns: 4, endOnFailure: true },
    );
    expect(double?.faults ?? []).toEqual([]);
  }, 120_000);

  it("a public change moves a record to where its date says, also for staff who see it as visitors do", async () => {
    const shown = await read<Page>(museum.ask("/v1/objects"));
    const dates = shown.items.map(({ updated_at }) => updated_at);
    expect(dates).toEqual(dates.toSorted().reverse());
    expect(titlesOf(shown)).not.toEqual(titlesOf(await read<Page>(staff("/v1/objects?status=public"))));
    expect(await search("desc")).toEqual(titlesOf(shown));
    expect(await search("asc")).toEqual(titlesOf(shown).reverse());
    const last = shown.items.at(-1)!;
    await patch(`/v1/objects/${last.id}`, { metadata_: { description: english("Brass") } });
    await drainOutbox(museum.services);
    const moved = [titlesOf(shown).at(-1), ...titlesOf(shown).slice(0, -1)];
    expect(titlesOf(await read<Page>(museum.ask("/v1/objects")))).toEqual(moved);
    expect(await search("desc")).toEqual(moved);
    const since = `/v1/objects?updated_since=${encodeURIComponent(`${dates[0]}Z`)}`;
    expect(titlesOf(await read<Page>(museum.ask(since)))).toEqual(moved.slice(0, 2));
  });

  it("a walk misses nothing that is changed or published meanwhile", async () => {
    const before = new Set((await read<Page>(museum.ask("/v1/objects"))).items.map(({ id }) => id));
    for (const by of ["updated_at", "title", "idno"]) {
      const last = (await read<Page>(museum.ask(`/v1/objects?sort_by=${by}&sort_dir=desc`))).items.at(-1)!;
      const seen: string[] = [];
      for (let next: string | undefined = `/v1/objects?sort_by=${by}&sort_dir=desc&page_size=3`; next; ) {
        const answer: Response = await museum.ask(next);
        seen.push(...(await read<Page>(answer)).items.map(({ id }) => id));
        next = linksOf(answer).next;
        if (seen.length === 3)
          await patch(`/v1/objects/${last.id}`, {
            idno: `ZZ-${by}`,
            metadata_: { title: english(`Zenith ${by}`) },
          });
      }
      expect([...before].filter((id) => !seen.includes(id))).toEqual([]);
    }
  });

  it("a record is in the list from its publication on, even if nothing follows the changes", async () => {
    const services = museum.services;
    const { changed } = services;
    services.changed = async () => undefined;
    try {
      const { id } = await createObject(staff, "Heliostat", { status: "public" });
      expect((await read<Page>(museum.ask("/v1/objects"))).items[0]!.id).toBe(id);
      const harvested = await museum.ask("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc");
      expect(await harvested.text()).not.toMatch(new RegExp(`deleted[^/]*${id}`));
      await read(staff(`/v1/objects/${id}`, { method: "DELETE" }), 204);
    } finally {
      services.changed = changed;
    }
  });
});
