/** Records as linked data over HTTP: contract §4.3, interface §4. */
import { describe, expect, it, onTestFinished } from "vitest";
import { CONTEXT_PATH } from "../../src/formats/rdf/syntax/context.ts";
import { ofJsonLd, ofTurtle } from "../support/isomorphic.ts";
import { inLong } from "../support/lane/lane.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";
import { parsed } from "../support/ontology.ts";

const LINKED_ART = "https://linked.art/ns/v1/linked-art.json";
/** Only what the test reads of it. */
// biome-ignore lint/suspicious/noExplicitAny: a document whose parts are tried one by one
type Tree = Record<string, any>;
const accept = (type: string) => ({ headers: { Accept: type } });

const museum = await museumHere({ demo: true });
const staff = await museum.as("editor");
const figurehead = `/objects/${museum.demo.get("obj-figurehead")}`;

describe("an export", () => {
  it("is JSON-LD unless Turtle is requested, also under /api/v1 and with other names of the formats", async () => {
    for (const [path, type] of [
      [`/v1${figurehead}/export`, "application/ld+json"],
      [`/api/v1${figurehead}/export?format=jsonld`, "application/ld+json"],
      [`/v1${figurehead}/export?format=json-ld`, "application/ld+json"],
      [`/api/v1${figurehead}/export?format=turtle`, "text/turtle; charset=utf-8"],
      [`/v1${figurehead}/export?format=ttl`, "text/turtle; charset=utf-8"],
    ] as const) {
      const answer = await museum.ask(path, accept("text/html"));
      expect([answer.status, answer.headers.get("Content-Type")], path).toEqual([200, type]);
    }
  });

  it("names the possible formats when another one is requested", async () => {
    for (const query of ["format=rdfxml", "format=", "profile=https://example.org/", "forma=ttl"]) {
      const answer = await museum.ask(`/v1${figurehead}/export?${query}`);
      expect(answer.status, query).toBe(422);
      const { errors } = (await answer.json()) as { errors: { pointer: string; detail: string }[] };
      if (query.startsWith("format"))
        expect(errors[0]!.detail).toContain("is not one of jsonld, json-ld, turtle, ttl, dc, lido, edm");
      if (query.startsWith("profile")) expect(errors[0]!.detail).toContain(LINKED_ART);
    }
  });

  it("exists only for public records; others are not revealed, but staff read the reason", async () => {
    const [draft] = await museum.services.sql<{ id: string; idno: string }[]>`
      select id, idno from records where record_type = 'object' and status = 'draft' limit 1`;
    const address = `/v1/objects/${draft!.id}/export`;
    const unknown = `/v1/objects/${crypto.randomUUID()}/export`;
    const detail = async (answer: Response) => [
      answer.status,
      ((await answer.json()) as { detail: string }).detail,
    ];
    expect(await detail(await museum.ask(address))).toEqual([404, `There is no object ${draft!.id}`]);
    expect((await detail(await museum.ask(unknown)))[0]).toBe(404);
    expect(await detail(await staff(address))).toEqual([
      404,
      `${draft!.idno} is not public, so there is no linked data of it`,
    ]);
    const shelf = museum.demo.get("loc-second");
    expect((await staff(`/v1/storage-locations/${shelf}/export`)).status).toBe(404);
    expect((await museum.ask(`/v1/entities${figurehead.slice(8)}/export`)).status).toBe(404);
  });

  it("answers 410 once its record is deleted", async () => {
    const made = await staff("/v1/objects", {
      json: { object_type: "print", status: "draft", metadata_: { title: [{ value: "Soon gone" }] } },
    });
    const { id } = (await made.json()) as { id: string };
    expect((await staff(`/v1/objects/${id}/publish`, { method: "POST" })).status).toBe(200);
    expect((await museum.ask(`/v1/objects/${id}/export`)).status).toBe(200);
    await (await museum.as("superuser"))(`/v1/objects/${id}`, { method: "DELETE" });
    expect((await museum.ask(`/v1/objects/${id}/export`)).status).toBe(410);
  });

  it("stays in caches until anything in it changes, even the name of a linked record", async () => {
    const address = `/v1${figurehead}/export?format=turtle`;
    const first = await museum.ask(address);
    const etag = first.headers.get("ETag")!;
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(first.headers.get("Vary")).toContain("Accept");
    expect(Date.parse(first.headers.get("Last-Modified")!)).toBeGreaterThan(0);
    expect((await museum.ask(address, { headers: { "If-None-Match": etag } })).status).toBe(304);
    const other = await museum.ask(`/v1${figurehead}/export`, { headers: { "If-None-Match": etag } });
    expect(other.status).toBe(200);
    const collection = museum.demo.get("col-fine-art");
    const patch = { metadata_: { title: [{ value: "Pictures" }] } };
    expect((await staff(`/v1/collections/${collection}`, { method: "PATCH", json: patch })).status).toBe(200);
    const changed = await museum.ask(address, { headers: { "If-None-Match": etag } });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('"Pictures"');
  });

  it("may be read by pages of every origin, and has its own rate limit", async () => {
    const answer = await museum.ask(`/v1${figurehead}/export`, {
      headers: { Origin: "https://elsewhere.example" },
    });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(answer.headers.get("RateLimit-Policy")).toContain('"export"');
  });

  inLong(it)(
    "is refused beyond its limit, in which all exports count, while records can still be read",
    async () => {
      const limited = await openMuseum({ env: { RATE_LIMIT_PUBLIC_EXPORT: "2/minute" } });
      onTestFinished(() => limited.close());
      const unknown = `/v1/objects/${crypto.randomUUID()}`;
      const remote = "192.0.2.1";
      const paths = [
        `${unknown}/export`,
        "/api/v1/places/export",
        `/api${unknown}/export?format=ttl`,
        unknown,
      ];
      const statuses = [];
      for (const path of paths) statuses.push((await limited.ask(path, { remote, method: "HEAD" })).status);
      expect(statuses).toEqual([404, 200, 429, 404]);
    },
  );

  it("takes a HEAD request", async () => {
    const answer = await museum.ask(`/v1${figurehead}/export?format=ttl`, { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });
});

describe("the address of a record in the API", () => {
  it.each([
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["application/ld+json", "application/ld+json"],
    ["text/turtle", "text/turtle; charset=utf-8"],
    ["text/turtle;q=0.5, application/ld+json;q=0.9", "application/ld+json"],
    ["application/ld+json;q=0.2, text/turtle;q=0.7, text/html", "text/turtle; charset=utf-8"],
    ["text/*", "text/turtle; charset=utf-8"],
    [`application/ld+json;profile="${LINKED_ART}"`, `application/ld+json; profile="${LINKED_ART}"`],
  ])("answers %s with %s", async (paths, given) => {
    const answer = await museum.ask(`/v1${figurehead}`, accept(paths));
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, given]);
    expect(answer.headers.get("Vary")).toContain("Accept");
  });

  it("names the possible formats if it has none of those requested", async () => {
    const answer = await museum.ask(`/v1${figurehead}`, accept("application/rdf+xml, text/turtle;q=0"));
    expect(answer.status).toBe(406);
    const { detail } = (await answer.json()) as { detail: string };
    for (const type of ["application/json", "application/ld+json", "text/turtle"])
      expect(detail).toContain(type);
  });

  it("lets pages of every origin read linked data, but JSON only those of configured origins", async () => {
    const origin = { Origin: "https://elsewhere.example" };
    const turtle = await museum.ask(`/v1${figurehead}`, { headers: { ...origin, Accept: "text/turtle" } });
    expect(turtle.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const json = await museum.ask(`/v1${figurehead}`, { headers: origin });
    expect(json.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("the IRI of a record", () => {
  it("leads programs to the export in their format, and shows people a page", async () => {
    const { baseUrl } = museum.services.config;
    const paths = async (type: string) => {
      const answer = await museum.ask(figurehead, accept(type));
      return [answer.status, answer.headers.get("Location")];
    };
    expect(await paths("text/turtle")).toEqual([303, `${baseUrl}/v1${figurehead}/export?format=turtle`]);
    expect(await paths("application/ld+json")).toEqual([
      303,
      `${baseUrl}/v1${figurehead}/export?format=jsonld`,
    ]);
    expect(await paths(`application/ld+json;profile="${LINKED_ART}"`)).toEqual([
      303,
      `${baseUrl}/v1${figurehead}/export?format=jsonld&profile=${encodeURIComponent(LINKED_ART)}`,
    ]);
    expect(await paths("application/json")).toEqual([303, `${baseUrl}/v1${figurehead}`]);
    expect(await paths("text/html,application/xhtml+xml,*/*;q=0.8")).toEqual([200, null]);
    expect(await paths("*/*")).toEqual([200, null]);
  });

  it("is the subject of the export", async () => {
    const { baseUrl } = museum.services.config;
    const { id, type } = (await (await museum.ask(`/v1${figurehead}/export`)).json()) as Record<
      string,
      unknown
    >;
    expect([id, type]).toEqual([baseUrl + figurehead, "E22_Human-Made_Object"]);
  });
});

describe("JSON-LD", () => {
  it("can be parsed with the context from the service, and has the same triples as the Turtle", async () => {
    const document = (await (await museum.ask(`/v1${figurehead}/export`)).json()) as Record<string, string>;
    const answer = await museum.ask(CONTEXT_PATH);
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const context = await answer.json();
    expect(document["@context"]).toBe(museum.services.config.baseUrl + CONTEXT_PATH);
    const turtle = await (await museum.ask(`/v1${figurehead}/export?format=ttl`)).text();
    expect(await ofJsonLd(document, { [document["@context"]!]: context })).toEqual(ofTurtle(turtle));
  });

  it("is one readable tree", async () => {
    const tree = (await (await museum.ask(`/v1${figurehead}/export`)).json()) as Tree;
    expect(tree.label.de).toBe("Galionsfigur: Frau mit Kompass");
    const production = tree.P108i_was_produced_by;
    expect(production["P4_has_time-span"].P82a_begin_of_the_begin).toBe("1867-01-01T00:00:00Z");
    expect(production.P9_consists_of[0].P14_carried_out_by[0].label["@none"]).toBeTypeOf("string");
    const height = tree.P43_has_dimension[0];
    expect([height.P90_has_value, height.P91_has_unit.label.en]).toEqual(["148", "centimeters"]);
  });
});

describe("the export of a kind of record", () => {
  it("streams every public record as a named graph, with the same triples as the record's own export", async () => {
    const answer = await museum.ask("/api/v1/objects/export?format=nquads");
    expect(answer.headers.get("Content-Type")).toBe("application/n-quads");
    const quads = parsed(await answer.text(), "N-Quads");
    const graphs = new Set(quads.map(({ graph }) => graph.value));
    const [row] = await museum.services.sql<{ n: number }[]>`
      select count(*)::int as n from records
      where record_type = 'object' and status = 'public' and deleted_at is null`;
    expect(graphs.size).toBe(row!.n);
    const id = museum.demo.get("obj-figurehead");
    const own = quads.filter(({ graph }) => graph.value === `urn:svc:graph:object:${id}`);
    const turtle = await (await museum.ask(`/v1${figurehead}/export?format=ttl`)).text();
    expect(own).toHaveLength(parsed(turtle).length);
  });

  it("has no other format, and is for staff only if its kind is never public", async () => {
    expect((await museum.ask("/v1/objects/export?format=turtle")).status).toBe(422);
    expect((await museum.ask("/v1/storage-locations/export")).status).toBe(401);
    const head = await museum.ask("/v1/places/export", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});
