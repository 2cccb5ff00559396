/** The triple store follows the records (contract §§3, 4.5, 6): over HTTP, embedded and on a server. */
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { drainOutbox } from "../../workers/drain-outbox.ts";
import { enableProjections } from "../../workers/projections.ts";
import { found } from "../ports/graph.ts";
import { inLong } from "../support/lane/lane.ts";
import { create, createObject, english, patched, read } from "../support/museum/catalogue.ts";
import { museumHere, openMuseum } from "../support/museum/museum.ts";
import { endedJob } from "../support/museum/sent-imports.ts";
import { openGraphServer } from "../support/servers/graph-server.ts";

const NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }";
const WORDS = "SELECT ?o { ?s ?p ?o FILTER(isLiteral(?o)) }";
const name = (id: string, type = "object") => `urn:svc:graph:${type}:${id}`;

describe.each(["embedded", "a server"] as const)("the triple store (%s)", async (place) => {
  const server = await openGraphServer();
  afterAll(() => server.close());
  const museum = await museumHere({
    env: {
      TRIPLESTORE_ENABLED: "true",
      ARK_ENABLED: "true",
      ARK_NAAN: "12345",
      ...(place === "embedded" ? {} : { TRIPLESTORE_URL: server.url }),
    },
  });
  const graphs = museum.services.graphs!;
  const editor = await museum.as("editor");

  const names = () => found(graphs, NAMES);
  const words = async () => (await found(graphs, WORDS)).join(" | ");
  const setStatus = (path: string, status: string) => read(editor(`${path}/status`, { json: { status } }));
  const published = async (title: string) => (await createObject(editor, title, { status: "public" })).id;

  it.each([
    ["is left out", async () => undefined],
    ["is refused", async () => Promise.reject(new Error("refused"))],
  ])("shows nothing of a record whose new graph %s, and still answers", async (_how, refuse) => {
    const id = await published("Octant");
    const { replace } = graphs;
    graphs.replace = async (wanted) => {
      const bad = wanted.filter((graph) => graph.name === name(id) && graph.triples !== "");
      if (bad.length > 0) await refuse();
      const others = wanted.filter((graph) => !bad.includes(graph));
      const emptied = bad.map((graph) => ({ ...graph, triples: "" }));
      const unfit = await replace.call(graphs, [...others, ...emptied]);
      return [...unfit, ...bad.map((graph) => ({ name: graph.name, reason: "a bad tag" }))];
    };
    const patch = { method: "PATCH", json: { metadata_: { title: english("Brass octant") } } };
    await read(editor(`/v1/objects/${id}`, patch));
    graphs.replace = replace;
    const answer = await editor(`/sparql?query=${encodeURIComponent(WORDS)}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("ctant");
    await read(editor(`/v1/objects/${id}?force=true`, { method: "DELETE" }), 204);
  });

  inLong(it)("has a record from its publication until it is withdrawn or deleted", async () => {
    const { id } = await createObject(editor, "Astrolabe");
    expect(await names()).toEqual([]);
    await setStatus(`/v1/objects/${id}`, "public");
    expect(await names()).toEqual([name(id)]);
    expect(await words()).toContain("Astrolabe");
    await patched(editor, `/v1/objects/${id}`, { metadata_: { title: english("Brass astrolabe") } });
    expect(await words()).toContain("Brass astrolabe");
    await setStatus(`/v1/objects/${id}`, "internal");
    expect(await names()).toEqual([]);
    await setStatus(`/v1/objects/${id}`, "public");
    await read(editor(`/v1/objects/${id}`, { method: "DELETE" }), 204);
    expect(await names()).toEqual([]);
    await read(editor(`/v1/objects/${id}/restore`, { method: "POST" }));
    expect(await names()).toEqual([name(id)]);
    await read(editor(`/v1/objects/${id}?force=true`, { method: "DELETE" }), 204);
  });

  it("has the ARK of a record as soon as the record gets one", async () => {
    const id = await published("Sounding lead");
    const first = (await words()).match(/ark:\/12345\/\w{8}/g);
    expect(first).toHaveLength(1);
    // as if the record had been published before there were ARKs
    await museum.services.sql`delete from arks where record_id = ${id}`;
    const { ark } = await read<{ ark: string }>(editor(`/v1/objects/${id}/ark`, { method: "POST" }), 201);
    expect(ark).not.toBe(first![0]);
    expect((await words()).match(/ark:\/12345\/\w{8}/g)).toEqual([ark]);
    await read(editor(`/v1/objects/${id}?force=true`, { method: "DELETE" }), 204);
  });

  it("drops a withdrawn record also from the graphs of the records that it links to", async () => {
    const id = await published("Quadrant");
    const maker = await create(editor, "entity", {
      status: "public",
      metadata_: { name: english("Ada Vellum") },
    });
    const link = { relation_type: "created_by", to_type: "entity", to_id: maker.id };
    await read(editor(`/v1/objects/${id}/relations`, { json: link }), 201);
    // the maker's graph is now rebuilt while it can name the object
    const renamed = { metadata_: { name: english("Ada Quire") } };
    await read(editor(`/v1/entities/${maker.id}`, { method: "PATCH", json: renamed }));
    await drainOutbox(museum.services);
    expect(await words()).toContain("Quadrant");
    await setStatus(`/v1/objects/${id}`, "internal");
    await drainOutbox(museum.services);
    expect(await words()).toContain("Ada Quire");
    expect(await words()).not.toContain("Quadrant");
    await read(editor(`/v1/objects/${id}?force=true`, { method: "DELETE" }), 204);
    await read(editor(`/v1/entities/${maker.id}?force=true`, { method: "DELETE" }), 204);
  });

  it("contains nothing that is not public: drafts, private fields, names of linked records", async () => {
    const id = await published("Sundial");
    await patched(editor, `/v1/objects/${id}`, { metadata_: { internal_note: [{ value: "SECRETnote" }] } });
    await createObject(editor, "SECRETdraft");
    await createObject(editor, "SECRETinternal", { status: "internal" });
    const maker = await create(editor, "entity", {
      status: "public",
      metadata_: { name: english("Ada Vellum") },
    });
    const link = { relation_type: "created_by", to_type: "entity", to_id: maker.id };
    await read(editor(`/v1/objects/${id}/relations`, { json: link }), 201);
    await drainOutbox(museum.services);
    expect(await names()).toEqual([name(maker.id, "entity"), name(id)].sort());
    expect((await words()).match(/Ada Vellum/g)!.length).toBeGreaterThan(1);
    // a linked record gets a new name, and then is withdrawn
    await patched(editor, `/v1/entities/${maker.id}`, { metadata_: { name: english("Ada Quire") } });
    await drainOutbox(museum.services);
    expect(await words()).not.toContain("Vellum");
    await setStatus(`/v1/entities/${maker.id}`, "draft");
    await patched(editor, `/v1/entities/${maker.id}`, { metadata_: { name: english("SECRETname") } });
    await drainOutbox(museum.services);
    expect(await names()).toEqual([name(id)]);
    expect(await words()).toContain("Sundial");
    expect(await words()).not.toMatch(/SECRET|Quire/);
    await read(editor(`/v1/objects/${id}?force=true`, { method: "DELETE" }), 204);
  });

  it("is rebuilt by a job, which restores what is missing and removes what does not belong there", async () => {
    const ids = [await published("Octant"), await published("Sextant")];
    const draft = await createObject(editor, "Never shown");
    const complete = await names();
    expect(complete).toEqual(ids.map((id) => name(id)).sort());
    const planted = (id: string) => ({ name: name(id), triples: `<a:a> <a:b> "planted" .\n` });
    await graphs.replace([
      { name: name(ids[0]!), triples: "" },
      planted(ids[1]!),
      planted(draft.id),
      planted(crypto.randomUUID()),
      { ...planted(""), name: name(crypto.randomUUID(), "procedure") },
    ]);
    expect(await names()).not.toEqual(complete);
    await read(editor("/sparql/rebuild", { method: "POST" }), 403);
    const admin = await museum.as("admin");
    const answer = await admin("/sparql/rebuild", { method: "POST" });
    const job = await read<{ job_id: string; kind: string; status: string }>(answer, 202);
    expect([job.kind, job.status]).toEqual(["rebuild", "queued"]);
    expect(answer.headers.get("Location")).toBe(`/v1/jobs/${job.job_id}`);
    const again = await read<{ job_id: string }>(admin("/sparql/rebuild", { method: "POST" }), 202);
    expect(again.job_id).toBe(job.job_id);
    const ended = await endedJob(museum, admin, job.job_id);
    expect(ended).toMatchObject({ state: "done", result: { removed: 3, failed: 0 } });
    expect(await names()).toEqual(complete);
    expect(await words()).not.toContain("planted");
  });

  it("is reported by /health, under the name that monitors know", async () => {
    const { checks } = (await (await museum.ask("/health")).json()) as { checks: Record<string, string> };
    expect(checks.oxigraph).toBe("ok");
  });
});

inLong(it)(
  "a triple store that is enabled in a museum with records stays empty until it is rebuilt",
  async () => {
    const museum = await openMuseum({ env: { TRIPLESTORE_ENABLED: "true" } });
    onTestFinished(() => museum.close());
    const { services } = museum;
    const editor = await museum.as("editor");
    const off = {
      ...services,
      config: { ...services.config, triplestore: { ...services.config.triplestore, enabled: false } },
    };
    const { id } = await createObject(editor, "Gnomon", { status: "public" });
    expect(await found(services.graphs!, NAMES)).toEqual([name(id)]);
    await enableProjections(off);
    await enableProjections(services);
    expect(await found(services.graphs!, NAMES)).toEqual([]);
    const jobs = await services.sql`select 1 from jobs where params ->> 'target' = 'graph'`;
    expect([...jobs]).toEqual([]);
  },
);

inLong(it)("a triple store that is off refuses a rebuild, and says how to switch it on", async () => {
  const museum = await openMuseum();
  onTestFinished(() => museum.close());
  const admin = await museum.as("admin");
  const { detail } = await read<{ detail: string }>(admin("/sparql/rebuild", { method: "POST" }), 409);
  expect(detail).toContain("TRIPLESTORE_ENABLED=true");
});
