import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { loadDemoMuseum } from "../../cli/demo/load.ts";
import { quickest } from "../support/museum/museum.ts";
import { parsed } from "../support/ontology.ts";
import { officeHere } from "../support/programs/command.ts";

describe("svc-manage export-rdf", async () => {
  const office = await officeHere(quickest);
  beforeAll(async () => {
    await office.look(async (services) => void (await loadDemoMuseum(services)));
  });

  const packed = (name: string) => readFile(join(dirname(office.settings.SVC_DATA_DIR!), name));

  it("writes all public records, each as a named graph", async () => {
    const done = await office.run("export-rdf", "all.nq.gz", "--json");
    expect(done).toMatchObject({ code: 0, err: "" });
    const { records } = JSON.parse(done.out) as { records: number };
    const quads = parsed(gunzipSync(await packed("all.nq.gz")).toString("utf8"), "N-Quads");
    expect(new Set(quads.map(({ graph }) => graph.value)).size).toBe(records);
    const [row] = await office.look(
      ({ sql }) => sql`select count(*)::int as n from records where status = 'public'`,
    );
    expect(records).toBe(row!.n);
  });

  it("writes one type on request, and does not overwrite a file", async () => {
    expect(await office.run("export-rdf", "places.nq", "--type", "place")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+ records written to places\.nq \(/),
    });
    const graphs = parsed(await office.read("places.nq"), "N-Quads").map(
      ({ graph }) => graph.value.split(":")[3],
    );
    expect([...new Set(graphs)]).toEqual(["place"]);
    const again = await office.run("export-rdf", "places.nq", "--type", "place");
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("already exists") });
    const unknown = await office.run("export-rdf", "x.nq", "--type", "plac");
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "place"?') });
    const hidden = await office.run("export-rdf", "x.nq", "--type", "storage-locations");
    expect(hidden).toMatchObject({
      code: 2,
      out: "",
      err: "Storage locations are never public, so there is nothing to export; --type is one of object, entity, place, occurrence, procedure, collection",
    });
    await expect(packed("x.nq")).rejects.toThrow("ENOENT");
  });
});
