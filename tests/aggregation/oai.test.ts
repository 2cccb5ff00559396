/** OAI-PMH 2.0: every verb and error, resumption tokens, sets, deleted records; and nothing that is not public. */
import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createApp } from "../../src/app.ts";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { followConfiguration } from "../../workers/projections.ts";
import { inLong } from "../support/lane/lane.ts";
import { notTried } from "../support/lane/skipped.ts";
import { bulk, create, createObject, english, patched, read } from "../support/museum/catalogue.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";
import { doJobs } from "../support/museum/sent-imports.ts";
import { Harvester, headersIn, invalid, tokenOf } from "../support/oai.ts";

/** What the museum of tests marks as secret (support/museum/marked.ts), and what this test adds. */
const SECRETS = /KESTREL|OSPREY|MERLIN|HARRIER|PEREGRINE|GOSHAWK|WRYNECK|NIGHTJAR/;
const hasXmllint = spawnSync("xmllint", ["--version"]).status === 0;
if (!hasXmllint) notTried("answers of /oai against their schemas: there is no xmllint");

const museum = await museumHere({
  demo: "with media",
  env: {
    SVC_BASE_URL: "https://museum.example.org",
    SECRET_KEY: "5f1d0c9b7a3e8642b0d9f7c6e1a2384756c0ffee19283746afbecd0213579bdf",
    OAI_ADMIN_EMAIL: "oai@museum.example.org",
  },
});
const staff = await museum.as("superuser");
const oai = new Harvester(museum.ask);
const FOLIOS = 230;

beforeAll(async () => {
  const folio = { status: "public", object_type: "drawing" };
  const folios = Array.from({ length: FOLIOS }, (_, n) => ({
    ...folio,
    metadata_: { title: english(`Folio ${n}`) },
  }));
  const made = await bulk(staff, "objects", folios);
  expect(made.filter(({ outcome }) => outcome === "created")).toHaveLength(FOLIOS);
  await drained();
}, 60_000);

const identifier = (id: string, type = "object") => `oai:museum.example.org:${type}:${id}`;
const recordText = async (id: string, type = "object") =>
  oai.text(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier(id, type)}`);
const become = (id: string, status: string) => read(staff(`/v1/objects/${id}/status`, { json: { status } }));
/** Writers project their own changes and may still be doing so. */
async function drained(): Promise<void> {
  const { services } = museum;
  do await drainOutbox(services);
  while ((await services.sql`select 1 from outbox`).length > 0);
}
async function settings(json: object): Promise<void> {
  await read(staff("/v1/settings", { method: "PATCH", json }));
  await followConfiguration(museum.services);
  await doJobs(museum);
}

describe("verbs", () => {
  it("Identify describes the repository", async () => {
    const text = await oai.text("verb=Identify");
    for (const part of [
      "<baseURL>https://museum.example.org/oai</baseURL>",
      "<protocolVersion>2.0</protocolVersion>",
      "<adminEmail>oai@museum.example.org</adminEmail>",
      "<deletedRecord>persistent</deletedRecord>",
      "<granularity>YYYY-MM-DDThh:mm:ssZ</granularity>",
      "<compression>gzip</compression>",
      "<repositoryIdentifier>museum.example.org</repositoryIdentifier>",
      '<request verb="Identify">https://museum.example.org/oai</request>',
    ])
      expect(text).toContain(part);
    const [first] = (await oai.headers("metadataPrefix=oai_dc")).map(({ datestamp }) => datestamp).sort();
    expect(text).toContain(`<earliestDatestamp>${first}</earliestDatestamp>`);
  });

  it("ListMetadataFormats gives the formats of all records, and those of one record", async () => {
    const prefixes = async (query = "") =>
      [...(await oai.text(`verb=ListMetadataFormats${query}`)).matchAll(/<metadataPrefix>(\w+)</g)].map(
        ([, name]) => name,
      );
    expect(await prefixes()).toEqual(["oai_dc", "lido", "edm"]);
    const entity = (await oai.headers("metadataPrefix=oai_dc&set=entity"))[0]!;
    expect(await prefixes(`&identifier=${identifier(entity.id, "entity")}`)).toEqual(["oai_dc"]);
  });

  it("GetRecord gives one record in each of its formats", async () => {
    const { id } = await createObject(staff, "Harbour & <dusk>", { status: "public" });
    const text = await recordText(id);
    expect(text).toContain('<dc:title xml:lang="en">Harbour &amp; &lt;dusk&gt;</dc:title>');
    expect(text).toContain(`<dc:identifier>https://museum.example.org/objects/${id}</dc:identifier>`);
    const lido = await oai.text(`verb=GetRecord&metadataPrefix=lido&identifier=${identifier(id)}`);
    expect(lido).toContain("<lido:lido");
    oai.answers.pop();
  });

  it("ListIdentifiers and ListRecords give the same records, each once, a hundred per page", async () => {
    const pages = await oai.pages("ListRecords", "metadataPrefix=oai_dc&set=object");
    const records = pages.flatMap(headersIn);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(records.length).toBeGreaterThan(FOLIOS);
    expect(pages.slice(0, -1).every((page) => headersIn(page).length === 100)).toBe(true);
    const tokens = pages.map((page) =>
      /<resumptionToken completeListSize="(\d+)" cursor="(\d+)"/.exec(page)!.slice(1),
    );
    expect(tokens).toEqual(pages.map((_, n) => [String(records.length), String(n * 100)]));
    expect(pages.at(-1)).toMatch(/<resumptionToken [^>]*\/>/);
    expect(await oai.headers("metadataPrefix=oai_dc&set=object")).toEqual(records);
    const [{ n }] = await museum.services.sql<[{ n: number }]>`
      select count(*)::int as n from records where published_at is not null and record_type = 'object'`;
    expect(records.length).toBe(n);
  });

  it("ListSets gives record types, collections and the sets that the museum defined", async () => {
    const specs = (await oai.pages("ListSets", "")).flatMap((page) =>
      [...page.matchAll(/<setSpec>(.*?)<\/setSpec><setName>(.+?)<\/setName>/g)].map(([, spec]) => spec!),
    );
    expect(specs.slice(0, 6)).toEqual(["object", "entity", "place", "occurrence", "procedure", "collection"]);
    const collections = await read<{ items: { id: string }[] }>(museum.ask("/v1/collections?page_size=200"));
    expect(specs.slice(6).sort()).toEqual(collections.items.map(({ id }) => `collection.${id}`).sort());
  });

  it("answer POST like GET, and answer HEAD", async () => {
    const form = (args: Record<string, string>) =>
      museum.ask("/oai", { method: "POST", body: new URLSearchParams(args) });
    const undated = (text: string) => text.replace(/<responseDate>.*?<\/responseDate>/, "");
    expect(undated(await (await form({ verb: "ListSets" })).text())).toBe(
      undated(await oai.text("verb=ListSets")),
    );
    expect((await museum.ask("/oai?verb=Identify", { method: "HEAD" })).status).toBe(200);
    expect((await museum.ask("/oai", { method: "POST", json: {} })).status).toBe(415);
  });
});

describe("errors", () => {
  const record = identifier("0198c0de-0000-7000-8000-000000000000");
  const list = "verb=ListRecords&metadataPrefix=oai_dc";
  it.each([
    ["", "badVerb"],
    ["verb=", "badVerb"],
    ["verb=identify", "badVerb"],
    ["verb=constructor", "badVerb"],
    ["verb=Identify&verb=Identify", "badVerb"],
    ["verb=Identify&metadataPrefix=oai_dc", "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc", "badArgument"],
    [`verb=GetRecord&identifier=${record}`, "badArgument"],
    [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${record}&identifier=${record}`, "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc&identifier=%22%3E%01", "badArgument"],
    ["verb=%00", "badVerb"],
    ["%00=%00", "badVerb"],
    ["verb=Identify&x=%00", "badArgument"],
    ["verb=Identify&%00=1", "badArgument"],
    [`${list}&set=%00`, "badArgument"],
    [`${list}&from=%00`, "badArgument"],
    [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${record}%00`, "badArgument"],
    ["verb=ListRecords&metadataPrefix=oai_dc%ff%zz%ed%a0%80", "badArgument"],
    [`verb=ListRecords&resumptionToken=%00${btoa("null")}`, "badResumptionToken"],
    ["verb=ListRecords", "badArgument"],
    [`${list}&metadataPrefix=oai_dc`, "badArgument"],
    [`${list}&set=`, "badArgument"],
    [`${list}&set=a%20b`, "badArgument"],
    [`${list}&from=2026-02-30`, "badArgument"],
    [`${list}&from=0000-01-01`, "badArgument"],
    [`${list}&from=2026`, "badArgument"],
    [`${list}&until=2026-01-01T25:00:00Z`, "badArgument"],
    [`${list}&until=2026-01-01T12:00:00`, "badArgument"],
    [`${list}&from=2026-01-02&until=2026-01-01`, "badArgument"],
    [`${list}&from=2026-01-01&until=2026-01-02T00:00:00Z`, "badArgument"],
    [`${list}&resumptionToken=abc`, "badArgument"],
    ["verb=ListRecords&metadataPrefix=%3Cmarc%3E", "badArgument"],
    ["verb=ListRecords&metadataPrefix=marc21", "cannotDisseminateFormat"],
    [`${list}&until=1999-12-31`, "noRecordsMatch"],
    [`${list}&from=2999-01-01`, "noRecordsMatch"],
    [`${list}&set=nothing:here`, "noRecordsMatch"],
    [`${list}&set=storage_location`, "noRecordsMatch"],
    ["verb=ListRecords&metadataPrefix=lido&set=entity", "noRecordsMatch"],
    ["verb=ListRecords&resumptionToken=x", "badResumptionToken"],
    ["verb=ListRecords&resumptionToken=%3C%2Foai%3E%01", "badResumptionToken"],
    [`verb=ListRecords&resumptionToken=${btoa("null")}`, "badResumptionToken"],
    ["verb=ListSets&resumptionToken=bm8", "badResumptionToken"],
    [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${record}`, "idDoesNotExist"],
    ["verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:elsewhere.example.org:object:1", "idDoesNotExist"],
    [
      `verb=GetRecord&metadataPrefix=oai_dc&identifier=${record.replace("object", "entity")}`,
      "idDoesNotExist",
    ],
    ["verb=ListMetadataFormats&identifier=1", "idDoesNotExist"],
  ])("answer %j with %s", async (query, code) => {
    expect(await oai.fault(query)).toBe(code);
    const repeats = oai.answers.at(-1)!.text.includes("<request verb=");
    expect(repeats).toBe(code !== "badVerb" && code !== "badArgument");
  });

  it("distinguish a record that a format does not describe from a deleted record", async () => {
    const { id } = await createObject(staff, "Gone tomorrow", { status: "public" });
    const entity = (await oai.headers("metadataPrefix=oai_dc&set=entity"))[0]!;
    expect(
      await oai.fault(`verb=GetRecord&metadataPrefix=lido&identifier=${identifier(entity.id, "entity")}`),
    ).toBe("cannotDisseminateFormat");
    await become(id, "internal");
    await drained();
    expect(await oai.fault(`verb=ListMetadataFormats&identifier=${identifier(id)}`)).toBe(
      "noMetadataFormats",
    );
    expect(await recordText(id)).toContain('<header status="deleted">');
  });

  it("refuse tokens of another verb and forged tokens", async () => {
    const token = tokenOf(await oai.text("verb=ListRecords&metadataPrefix=oai_dc&set=object"))!;
    expect(await oai.fault(`verb=ListIdentifiers&resumptionToken=${token}`)).toBe("badResumptionToken");
    const content = JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
    for (const change of [
      { after: "1' or '1'='1" },
      { size: -1 },
      { until: "2026-13-01T00:00:00Z" },
      { more: 1 },
    ]) {
      const forged = btoa(JSON.stringify({ ...content, ...change }));
      expect(await oai.fault(`verb=ListRecords&resumptionToken=${encodeURIComponent(forged)}`)).toBe(
        "badResumptionToken",
      );
    }
    const unknown = btoa(JSON.stringify({ ...content, prefix: "marc21" })).replace(/=+$/, "");
    expect(await oai.fault(`verb=ListRecords&resumptionToken=${unknown}`)).toBe("cannotDisseminateFormat");
  });
});

describe("a harvest", () => {
  inLong(it)(
    "that finds nothing carries the time at which it looked, so that the next harvest can begin there",
    async () => {
      const { services } = museum;
      const sql = new Proxy(services.sql, {
        apply(tag, _this, given: unknown[]) {
          const asked = Reflect.apply(tag as never, undefined, given) as Promise<unknown>;
          if (!String(given[0]).includes("order by record_id limit")) return asked;
          return setTimeout(2_500).then(() => asked);
        },
      });
      const { app } = createApp({ ...services, sql });
      const begun = new Date();
      const answer = await app.request("/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&until=1999-12-31");
      const text = await answer.text();
      expect(text).toContain("noRecordsMatch");
      const date = new Date(/<responseDate>(.*?)</.exec(text)![1]!);
      expect(Date.now() - begun.getTime()).toBeGreaterThan(2_400);
      expect(date.getTime()).toBeLessThanOrEqual(begun.getTime());
    },
  );

  it("by days or seconds gets what changed in between, and the next one gets what changed since", async () => {
    const { id } = await createObject(staff, "Barometer", { status: "public" });
    await museum.services
      .sql`update public_dates set datestamp = '2001-02-03T04:05:06Z' where record_id = ${id}`;
    const only = async (from: string, until: string) =>
      (await oai.headers(`metadataPrefix=oai_dc&from=${from}&until=${until}`)).map((header) => header.id);
    for (const [from, until] of [
      ["2001-02-03", "2001-02-03"],
      ["2001-02-03T04:05:06Z", "2001-02-03T04:05:06Z"],
    ] as const)
      expect(await only(from, until)).toEqual([id]);
    expect(
      await oai.fault(
        "verb=ListIdentifiers&metadataPrefix=oai_dc&from=2001-02-03T04:05:07Z&until=2001-02-04T00:00:00Z",
      ),
    ).toBe("noRecordsMatch");
    const begun = /<responseDate>(.*?)</.exec(await oai.text("verb=Identify"))![1]!;
    await become(id, "internal");
    await drained();
    const since = await oai.headers(`metadataPrefix=oai_dc&from=${begun}`);
    expect(since.find((header) => header.id === id)).toMatchObject({ deleted: true });
    await become(id, "public");
    await drained();
    expect(await recordText(id)).not.toContain("deleted");
  });

  it("misses no record when records are changed or deleted meanwhile", async () => {
    const first = await oai.text("verb=ListRecords&metadataPrefix=oai_dc&set=object");
    const before = headersIn(first).map(({ id }) => id);
    const all = (await oai.headers("metadataPrefix=oai_dc&set=object")).map(({ id }) => id);
    const [early, late] = [all[3]!, all.at(-3)!];
    for (const id of [early, late])
      await patched(staff, `/v1/objects/${id}`, { metadata_: { edition: [{ value: "2nd" }] } });
    await read(staff(`/v1/objects/${all.at(-2)}?force=true`, { method: "DELETE" }), 204);
    await drained();
    const rest: string[] = [];
    for (let text = first; tokenOf(text); ) {
      text = await oai.text(`verb=ListRecords&resumptionToken=${tokenOf(text)}`);
      rest.push(...headersIn(text).map(({ id }) => id));
      expect(/<responseDate>.*?</.exec(text)![0]).toBe(/<responseDate>.*?</.exec(first)![0]);
    }
    expect([...before, ...rest].sort()).toEqual([...all].sort());
  });

  it("of a set gets a collection with the collections below it, or what the museum defined", async () => {
    const named = (title: string) => ({ status: "public", metadata_: { title: english(title) } });
    const above = await create(staff, "collection", named("Instruments"));
    const below = await create(staff, "collection", { ...named("Gauges"), parent_id: above.id });
    const { id } = await createObject(staff, "Pluviometer", { status: "public" });
    const at = `/v1/objects/${id}`;
    const to = { relation_type: "in_collection", to_type: "collection", to_id: below.id };
    await read(staff(`${at}/relations`, { json: to }), 201);
    await read(staff(at, { method: "PATCH", json: { metadata_: { material: [{ value: "brass" }] } } }));
    await settings({
      harvest_sets: [
        {
          spec: "brassware",
          label: { en: "Brass" },
          query: "type=object&meta_material=brass&meta_material=bronze",
        },
      ],
    });
    await drained();
    for (const set of [`collection.${below.id}`, `collection.${above.id}`, "brassware"]) {
      const found = await oai.headers(`metadataPrefix=oai_dc&set=${set}`);
      expect(
        found.map((header) => header.id),
        set,
      ).toContain(id);
      expect(found.find((header) => header.id === id)!.sets).toEqual(
        ["object", "brassware", `collection.${above.id}`, `collection.${below.id}`].sort((x, y) =>
          x === "object" ? -1 : y === "object" ? 1 : x < y ? -1 : 1,
        ),
      );
    }
    expect(await oai.text("verb=ListSets")).toContain("<setSpec>brassware</setSpec><setName>Brass</setName>");
    // what leaves a set is in no list of that set, and is new in the list of all records
    const before = await oai.headers("metadataPrefix=oai_dc");
    await setTimeout(1_100);
    await read(staff(at, { method: "PATCH", json: { metadata_: { material: [{ value: "tin" }] } } }));
    await drained();
    const inSet = await oai.headers("metadataPrefix=oai_dc&set=brassware").catch(() => []);
    expect(inSet.map((header) => header.id)).not.toContain(id);
    const moved = (await oai.headers("metadataPrefix=oai_dc")).find((header) => header.id === id)!;
    expect(moved).toMatchObject({ deleted: false });
    expect(moved.sets).not.toContain("brassware");
    expect(moved.datestamp > before.find((header) => header.id === id)!.datestamp).toBe(true);
    await read(staff(at, { method: "PATCH", json: { metadata_: { material: [{ value: "brass" }] } } }));
    await drained();
    // a deleted record is deleted from its sets, too
    await become(id, "draft");
    await drained();
    const gone = await oai.headers("metadataPrefix=oai_dc&set=brassware");
    expect(gone.find((header) => header.id === id)).toMatchObject({ deleted: true });
    for (const query of ["q=brass", "type=object&meta_material=", ""])
      expect(
        (
          await staff("/v1/settings", {
            method: "PATCH",
            json: { harvest_sets: [{ spec: "x", label: { en: "X" }, query }] },
          })
        ).status,
      ).toBe(422);
  });

  it("names the licence of the metadata when the museum has set one", async () => {
    const { id } = await createObject(staff, "Open", { status: "public" });
    expect(await recordText(id)).not.toContain("<about>");
    const ref = "https://creativecommons.org/publicdomain/zero/1.0/";
    const { datestamp } = headersIn(await recordText(id))[0]!;
    await museum.services
      .sql`update public_dates set datestamp = '2001-01-01T00:00:00Z' where record_id = ${id}`;
    await settings({ metadata_rights: ref });
    expect(await recordText(id)).toContain(
      `<rightsReference ref="http://creativecommons.org/publicdomain/zero/1.0/"/>`,
    );
    expect(headersIn(await recordText(id))[0]!.datestamp >= datestamp).toBe(true);
  });

  it("is compressed on request, and not sent again when nothing has changed", async () => {
    const query = "/oai?verb=ListRecords&metadataPrefix=oai_dc";
    const answer = await museum.ask(query, { headers: { "Accept-Encoding": "deflate, gzip;q=0.5" } });
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    expect(answer.headers.get("Vary")).toContain("Accept-Encoding");
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toContain("</OAI-PMH>");
    const plain = await museum.ask(query, { headers: { "Accept-Encoding": "gzip;q=0, br" } });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    await plain.text();
    const again = await museum.ask(query, { headers: { "If-None-Match": plain.headers.get("ETag")! } });
    expect(again.status).toBe(304);
  });
});

describe("the answers", () => {
  it("are well-formed XML, whatever a record contains", async () => {
    const title = `]]></dc:title>&amp;&#0;<!-- <![CDATA[ "'> 𝄞 \u0085 ${"x&<".repeat(20_000)}`;
    const { id } = await createObject(staff, "x", { status: "public" });
    const entries = Array.from({ length: 10 }, (_, n) => ({ value: `${title}${n}` }));
    await read(staff(`/v1/objects/${id}`, { method: "PATCH", json: { metadata_: { title: entries } } }));
    // as older versions may have stored it
    const { sql } = museum.services;
    const edition = sql.json([{ value: "\u0007\ufffe bell" }]);
    await sql`update records set metadata = metadata || jsonb_build_object('edition', ${edition}::jsonb) where id = ${id}`;
    const text = await recordText(id);
    expect(text.includes("<dc:title>]]&gt;&lt;/dc:title&gt;&amp;amp;&amp;#0;")).toBe(true);
    expect(text.includes("<dc:description> bell</dc:description>")).toBe(true);
    expect(text.length).toBeGreaterThan(800_000);
  });

  it("contain no secret in any format, not even for staff", async () => {
    for (const [query, ask] of [
      ["metadataPrefix=oai_dc", museum.ask],
      ["metadataPrefix=lido", museum.ask],
      ["metadataPrefix=edm", museum.ask],
      ["metadataPrefix=oai_dc", staff],
    ] as const) {
      const pages = await new Harvester(ask).pages("ListRecords", query);
      expect(SECRETS.exec(pages.join(""))?.[0]).toBeUndefined();
      expect(pages.join("").length).toBeGreaterThan(10_000);
    }
  });

  it.runIf(hasXmllint)("are all valid against the schemas", async () => {
    expect(oai.answers.length).toBeGreaterThan(60);
    expect(await invalid(oai.answers.map(({ text }) => text))).toBe("");
    const broken = oai.answers[0]!.text.replace("<protocolVersion>2.0", "<protocolVersion>3.0");
    expect(await invalid([broken])).toContain("protocolVersion");
  });
});

inLong(describe)("the rate limit of OAI-PMH", () => {
  it("is separate from the others (RATE_LIMIT_OAI)", async () => {
    const other = await openMuseum({ env: { RATE_LIMIT_OAI: "2/minute" } });
    onTestFinished(() => other.close());
    const ask = () => other.ask("/oai?verb=Identify", { remote: "192.0.2.7" });
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429]);
    // the scheme of OAI identifiers accepts no address without a domain
    const text = await (await other.ask("/oai?verb=Identify")).text();
    expect(text).not.toContain("oai-identifier");
    if (hasXmllint) expect(await invalid([text])).toBe("");
  });
});
