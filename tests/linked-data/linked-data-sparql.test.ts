/** /sparql over HTTP: the query part of the SPARQL 1.1 Protocol (with the cases of its test suite), limits, and the page. */
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { factsOf } from "../../src/linked-data/sparql/text.ts";
import { ENDLESS } from "../ports/graph.ts";
import { inLong } from "../support/lane/lane.ts";
import { createObject } from "../support/museum/catalogue.ts";
import { type Ask, museumHere, openMuseum } from "../support/museum/museum.ts";

const LIMIT = 4_000;
let other: string;
const museum = await museumHere({
  demo: true,
  env: {
    TRIPLESTORE_ENABLED: "true",
    SPARQL_REQUIRE_AUTH: "false",
    SPARQL_QUERY_TIMEOUT: "5",
    SPARQL_MAX_QUERY_LENGTH: String(LIMIT),
  },
});
const graph = `urn:svc:graph:object:${museum.demo.get("obj-figurehead")}`;
beforeAll(async () => {
  [other] = [...museum.demo].flatMap(([key, id]) =>
    key.startsWith("obj-") && key !== "obj-figurehead" ? [`urn:svc:graph:object:${id}`] : [],
  ) as [string];
});

const RESULTS = "application/sparql-results+json";
const FORM = "application/x-www-form-urlencoded";
const CRM = "PREFIX crm: <http://www.cidoc-crm.org/cidoc-crm/> PREFIX a: <urn:a:>";
const COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }";
const get = (query: string, headers: Record<string, string> = {}, more = "") =>
  museum.ask(`/sparql?query=${encodeURIComponent(query)}${more}`, { headers });
const post = (body: BodyInit, type: string, path = "/sparql") =>
  museum.ask(path, { method: "POST", body, headers: type === "" ? {} : { "Content-Type": type } });
async function number(answer: Response | Promise<Response>): Promise<number> {
  const text = await (await answer).text();
  return Number(JSON.parse(text).results?.bindings[0].n.value);
}
const detail = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { detail: string }).detail,
];

describe("a SPARQL query", () => {
  inLong(it)("is accepted by GET, as a form, and as the body", async () => {
    const all = await number(get(COUNT));
    expect(all).toBeGreaterThan(1_000);
    expect(await number(post(new URLSearchParams({ query: COUNT }).toString(), FORM))).toBe(all);
    expect(await number(post(COUNT, "application/sparql-query"))).toBe(all);
    expect(await number(post(COUNT, "application/sparql-query; charset=utf-8"))).toBe(all);
  });

  it("resolves relative IRIs against its own address, and ignores parameters that are not its own", async () => {
    const resolved = `SELECT (STR(<#here>) AS ?n) {}`;
    const iri = async (query: string) => {
      const answer = await get(query, {}, "&format=json&output=json&results=json&timeout=0");
      expect(answer.status).toBe(200);
      return JSON.parse(await answer.text()).results.bindings[0].n.value;
    };
    expect(await iri(resolved)).toBe(`${museum.services.config.baseUrl}/sparql#here`);
    expect(await iri(`BASE <http://museum.example/> ${resolved}`)).toBe("http://museum.example/#here");
    const form = `query=${encodeURIComponent(resolved)}&output=json`;
    expect((await post(form, FORM)).status).toBe(200);
    expect((await post(resolved, "application/sparql-query", "/sparql?format=json")).status).toBe(200);
  });

  it("uses the graphs named in the request, however it is sent, instead of those in the query", async () => {
    const chosen = `&default-graph-uri=${encodeURIComponent(graph)}`;
    const one = await number(get(COUNT, {}, chosen));
    expect(one).toBeGreaterThan(5);
    expect(one).toBeLessThan(1_000);
    const both = await number(get(COUNT, {}, `${chosen}&default-graph-uri=${encodeURIComponent(other)}`));
    expect(both).toBeGreaterThan(one);
    expect(await number(post(COUNT, "application/sparql-query", `/sparql?${chosen.slice(1)}`))).toBe(one);
    expect(await number(post(`query=${encodeURIComponent(COUNT)}${chosen}`, FORM))).toBe(one);
    expect(await number(get(COUNT.replace("{", `FROM <${graph}> {`)))).toBe(one);
    expect(await number(get(COUNT.replace("{", `FROM <${other}> {`), {}, chosen))).toBe(one);
    const named = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }";
    expect(await number(get(named, {}, `&named-graph-uri=${encodeURIComponent(graph)}`))).toBe(one);
    expect(await number(get(COUNT, {}, `&named-graph-uri=${encodeURIComponent(graph)}`))).toBe(0);
  });

  it("is answered in the requested format, by default JSON or Turtle", async () => {
    const ask = "ASK { ?s ?p ?o }";
    for (const [query, accept, type, begins] of [
      [COUNT, "", RESULTS, '{"head"'],
      [COUNT, "*/*", RESULTS, '{"head"'],
      [COUNT, "application/json", "application/json", '{"head"'],
      [COUNT, "application/sparql-results+xml", "application/sparql-results+xml", "<?xml"],
      [COUNT, "text/csv;q=0.9, text/turtle", "text/csv; charset=utf-8", "n\r\n"],
      [COUNT, "text/tab-separated-values", "text/tab-separated-values; charset=utf-8", "?n\n"],
      [ask, "", RESULTS, '{"head":{},"boolean":true}'],
      [ask, "application/sparql-results+xml", "application/sparql-results+xml", "<?xml"],
      [`DESCRIBE <${graph}>`, "", "text/turtle; charset=utf-8", ""],
      ["CONSTRUCT { ?s a ?t } { ?s a ?t }", "*/*", "text/turtle; charset=utf-8", "<"],
      ["CONSTRUCT { ?s a ?t } { ?s a ?t }", "application/n-triples", "application/n-triples", "<"],
      ["CONSTRUCT { ?s a ?t } { ?s a ?t }", "application/ld+json", "application/ld+json", "[{"],
      ["CONSTRUCT { ?s a ?t } { ?s a ?t }", "application/rdf+xml", "application/rdf+xml", "<?xml"],
    ] as const) {
      const answer = await get(query, accept === "" ? {} : { Accept: accept });
      expect([answer.status, answer.headers.get("Content-Type")], `${query} ${accept}`).toEqual([200, type]);
      expect((await answer.text()).slice(0, begins.length), `${query} ${accept}`).toBe(begins);
    }
    expect((await get(COUNT, { Accept: "text/turtle" })).status).toBe(406);
    expect((await get("DESCRIBE <a:b>", { Accept: RESULTS })).status).toBe(406);
  });

  it("can be sent with HEAD", async () => {
    const address = `/sparql?query=${encodeURIComponent(COUNT)}`;
    const [full, head] = [await museum.ask(address), await museum.ask(address, { method: "HEAD" })];
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, full.headers.get("Content-Type")]);
    expect(await head.text()).toBe("");
    await full.body?.cancel();
  });

  it("may be sent by pages of every origin", async () => {
    const answer = await get(COUNT, { Origin: "https://elsewhere.example" });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(answer.headers.get("RateLimit-Policy")).toContain("sparql");
  });
});

describe("the SPARQL endpoint refuses", () => {
  it("a query that cannot be parsed, with the parser's message", async () => {
    const [status, says] = await detail(await get("SELECT * { ?s ?p"));
    expect(status).toBe(400);
    expect(says).toMatch(/1:\d+/);
    for (const query of ["", " # nothing\n", "SELEC * { ?s ?p ?o }"])
      expect(await detail(await get(query)), query).toEqual([
        400,
        "A query needs one of SELECT, ASK, CONSTRUCT and DESCRIBE",
      ]);
    expect((await post("", FORM)).status).toBe(400);
    expect((await post(new Uint8Array([0x53, 0xff, 0xfe]), "application/sparql-query")).status).toBe(400);
    expect((await get(COUNT, {}, "&query=ASK%7B%7D")).status).toBe(422);
    expect((await get(COUNT, {}, "&default-graph-uri=no%20iri")).status).toBe(422);
  });

  it("a body of another type, and every other method", async () => {
    expect((await post(COUNT, "text/plain")).status).toBe(415);
    expect((await post(`query=${encodeURIComponent(COUNT)}`, "")).status).toBe(415);
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect((await museum.ask("/sparql", { method })).status, method).toBe(405);
  });

  it("every update, however it is sent, and changes nothing", async () => {
    const before = await number(get(COUNT));
    for (const update of [
      "INSERT DATA { <a:a> <a:b> <a:c> }",
      "PREFIX a: <a:> DELETE WHERE { ?s ?p ?o }",
      "# so\nDROP ALL",
      "LOAD <http://127.0.0.1:1/x>",
      "\\u0044ROP ALL",
      "WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    ]) {
      expect((await detail(await get(update)))[1], update).toContain("update");
      const named = await museum.ask(`/sparql?${new URLSearchParams({ update })}`);
      expect((await detail(named))[0], update).toBe(400);
      expect((await post(update, "application/sparql-query")).status, update).toBe(400);
      expect((await post(update, "application/sparql-update")).status, update).toBe(400);
      expect((await post(new URLSearchParams({ update }).toString(), FORM)).status, update).toBe(400);
    }
    expect(await number(get(COUNT))).toBe(before);
  });

  it("SERVICE in every spelling, but no word that only looks like it", () => {
    for (const text of [
      "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
      "SELECT * { ?s ?p 1service<http://127.0.0.1/>{} }",
      "SELECT * { ?s ?p ex:a\\#b .service ?x {} }",
      "SELECT * { ?s ?p 'a\\'' . SERVICE SILENT ex:x {} }",
      "SELECT * { \\u0053ERVICE <http://127.0.0.1/> {} }",
      'SELECT * { ?s ?p "a\\u0022" SERVICE <http://x/> {} . ?a ?b "b\\u0022" }',
      "SELECT * { ?s ?p ?o FILTER(?a<?b)SERVICE<http://x/>{} }",
    ])
      expect(() => factsOf(text), text).toThrow("SERVICE is not allowed");
    for (const text of [
      "SELECT ?service { ?service ex:service service:x . ?s ?p 'SERVICE'@service }",
      'SELECT * { ?s <http://x/SERVICE> """ "SERVICE" """ } # SERVICE',
      "PREFIX service: <http://service/> SELECT * { ?s service:SERVICE _:service }",
    ])
      expect(() => factsOf(text), text).not.toThrow();
  });

  it("a query that is too long, in bytes", async () => {
    const long = `${COUNT} # ${"ä".repeat(LIMIT / 2)}`;
    expect((await get(long)).status).toBe(413);
    expect((await post(long, "application/sparql-query")).status).toBe(413);
    expect((await post(new URLSearchParams({ query: long }).toString(), FORM)).status).toBe(413);
    const fits = `${COUNT} #${"x".repeat(LIMIT - COUNT.length - 2)}`;
    expect((await post(new URLSearchParams({ query: fits }).toString(), FORM)).status).toBe(200);
  });

  const counted = (path: string) => `${CRM} SELECT (COUNT(*) AS ?n) { ?s ${path} ?o }`;
  const withoutEnd = {
    "too many rows": ENDLESS,
    "two such paths": counted("(!a:b)*/(!a:b)*"),
    "a path both ways": counted("((crm:P14_carried_out_by|^crm:P14_carried_out_by)|!(a:b|^a:b))+"),
  };
  for (const [name, query] of Object.entries(withoutEnd)) {
    inLong(it)(`a query that takes too long, while it answers others: ${name}`, async () => {
      // first make sure that both processes run
      await Promise.all([get(COUNT), get(COUNT)]);
      let isEnded = false;
      const late = get(query).finally(() => {
        isEnded = true;
      });
      expect(await number(get(COUNT))).toBeGreaterThan(1_000);
      expect(isEnded).toBe(false);
      const begun = performance.now();
      expect((await detail(await late))[0]).toBe(504);
      expect(performance.now() - begun).toBeLessThan(10_000);
    });
  }
});

describe("the SPARQL endpoint without a query", () => {
  it("describes itself and its data, in every format for graphs", async () => {
    for (const type of [
      "text/turtle",
      "application/ld+json",
      "application/rdf+xml",
      "application/n-triples",
    ]) {
      const answer = await museum.ask("/sparql", { headers: { Accept: type } });
      expect([answer.status, answer.headers.get("Content-Type")?.split(";")[0]]).toEqual([200, type]);
      const text = await answer.text();
      for (const word of ["service-description#", "SPARQL11Query", "UnionDefaultGraph", "void#", "/sparql"])
        expect(text, `${type} ${word}`).toContain(word);
    }
  });
});

describe("the SPARQL page", () => {
  const page = (query?: string) =>
    museum.ask(query === undefined ? "/sparql" : `/sparql?query=${encodeURIComponent(query)}`, {
      headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "en" },
    });

  it("has examples that find something in the demo museum", async () => {
    const text = await (await page()).text();
    const examples = [...text.matchAll(/href="(\/sparql\?query=[^"]+)"/g)].map(([, path]) => path!);
    expect(examples).toHaveLength(6);
    for (const path of examples) {
      const answer = await museum.ask(path, { headers: { Accept: "text/html" } });
      expect(answer.status).toBe(200);
      expect((await answer.text()).match(/<tr>/g)!.length, decodeURIComponent(path)).toBeGreaterThan(2);
    }
  });

  it("shows what is wrong with a query, and escapes its results", async () => {
    const wrong = await page("SELECT * { <script>");
    expect(wrong.status).toBe(400);
    const text = await wrong.text();
    expect(text).toContain("1:");
    expect(text).not.toContain("<script>");
    const found = await (await page("SELECT ('<b>' AS ?x) (<javascript:alert(1)> AS ?y) {}")).text();
    expect(found).toContain("&lt;b&gt;");
    expect(found).not.toContain('href="javascript');
    expect(await (await page("ASK { ?s ?p ?o }")).text()).toContain("Yes");
    expect(await (await page("DESCRIBE <a:b>")).text()).toContain("<pre ");
  });
});

inLong(describe)("access to SPARQL", () => {
  it("needs permission unless it is open to everybody, and never shows drafts", async () => {
    const own = await openMuseum({ env: { TRIPLESTORE_ENABLED: "true" } });
    onTestFinished(() => own.close());
    const queried = (who: Ask, accept = RESULTS) =>
      who("/sparql?query=ASK{}", { headers: { Accept: accept } });
    const stranger = await queried(own.ask);
    expect([stranger.status, stranger.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    expect((await own.ask("/sparql", { method: "POST" })).status).toBe(401);
    // people are redirected to the sign-in page
    const led = await queried(own.ask, "text/html");
    expect([led.status, led.headers.get("Location")]).toEqual([
      303,
      expect.stringContaining("/admin/sign-in?to=%2Fsparql"),
    ]);
    const editor = await own.as("editor");
    expect((await queried(await own.as("viewer"))).status).toBe(200);
    await createObject(editor, "SECRETdraft");
    const answer = await editor(`/sparql?query=${encodeURIComponent("SELECT * { ?s ?p ?o }")}`);
    expect(await answer.text()).not.toContain("SECRET");
  });

  it("is closed if SPARQL is switched off", async () => {
    for (const env of [{}, { TRIPLESTORE_ENABLED: "true", SPARQL_ENDPOINT_ENABLED: "false" }]) {
      const own = await openMuseum({ env: env as Record<string, string> });
      try {
        expect((await own.ask("/sparql?query=ASK{}")).status).toBe(404);
        expect((await own.ask("/sparql", { method: "POST", body: "ASK{}" })).status).toBe(404);
      } finally {
        await own.close();
      }
    }
  });
});
