/** What aggregators would refuse: the report over HTTP, the command, and the addresses of rights statements. */
import { describe, expect, it, onTestFinished } from "vitest";
import type { AggregatorReport } from "../../src/aggregation/check-store.ts";
import { inLong } from "../support/lane/lane.ts";
import { made } from "../support/museum/catalogue.ts";
import { jpeg, send } from "../support/museum/media.ts";
import { museumHere, quickest } from "../support/museum/museum.ts";
import { openOffice } from "../support/programs/command.ts";

type Body = Omit<AggregatorReport, "counts"> & {
  findings: { finding: string; refused_by: string[]; count: number }[];
};

const PATH = "/v1/reports/aggregator";

const museum = await museumHere();
const staff = await museum.as("superuser");

const rights = (value: string) => ({ rights: [{ value }] });
const GOOD = {
  title: [{ value: "Harbour at dusk", lang: "en" }],
  object_name: [{ value: "painting" }],
  description: [{ value: "Boats" }],
  date: [{ value: "1887~" }],
};
const CC0 = "http://creativecommons.org/publicdomain/zero/1.0/";

const object = (metadata_: object, status = "public", object_type = "other") =>
  made(staff, "objects", { object_type, status, metadata_ });
const picture = async (id: string, fields?: Record<string, string>) =>
  send(staff, id, await jpeg(20, 20), "picture.jpg", fields);
const report = async (query = ""): Promise<Body> => (await (await staff(`${PATH}${query}`)).json()) as Body;

describe("the aggregator report", () => {
  it("lists public objects with their findings, and no object that is not public", async () => {
    const fine = await object({ ...GOOD, ...rights(CC0) });
    await picture(fine);
    const licensed = await object(GOOD);
    const medium = await picture(licensed);
    const { media_id } = (await medium.json()) as { media_id: string };
    const json = { license_uri: "https://creativecommons.org/licenses/by/4.0/deed.de" };
    await staff(`/v1/objects/${licensed}/media/${media_id}`, { method: "PATCH", json });
    const hidden = await object({ ...GOOD, ...rights(CC0) });
    await picture(hidden, { visibility: "private" });
    const bare = await object({ title: [{ value: "Untitled" }] });
    const print = await object(
      { ...GOOD, object_name: [], ...rights("All rights reserved") },
      "public",
      "print",
    );
    const refused = await object({ ...GOOD, ...rights("http://rightsstatements.org/vocab/NKC/1.0/") });
    await object({ title: [{ value: "NIGHTJAR" }] }, "draft");

    const body = await report();
    expect(body).toMatchObject({ checked: 6, total: 4, page: 1, page_size: 50 });
    expect(JSON.stringify(body)).not.toContain("NIGHTJAR");
    const found = new Map(body.items.map(({ id, findings }) => [id, findings]));
    expect([...found.keys()].sort()).toEqual([hidden, bare, print, refused].sort());
    expect(found.get(hidden)).toEqual(["no_image"]);
    expect(found.get(bare)).toEqual([
      ...["no_type", "no_rights", "no_image", "no_date", "no_description", "no_language"],
    ]);
    expect(found.get(print)).toEqual(["unknown_rights", "no_image"]);
    expect(found.get(refused)).toEqual(["unaccepted_rights", "no_image"]);
    const count = (finding: string) => body.findings.find((each) => each.finding === finding);
    expect(count("no_image")).toMatchObject({ count: 4, refused_by: ["ddb", "europeana"] });
    expect(count("no_title")).toMatchObject({ count: 0 });
  });

  it("is paged, and can be filtered by finding", async () => {
    const first = await staff(`${PATH}?page_size=3`);
    expect(first.headers.get("Link")).toContain('page=2>; rel="next"');
    const pages = [...((await first.json()) as Body).items, ...(await report("?page_size=3&page=2")).items];
    expect(pages).toEqual((await report()).items);
    expect((await report("?finding=no_rights")).items.map(({ findings }) => findings[1])).toEqual([
      "no_rights",
    ]);
    expect((await staff(`${PATH}?finding=no_frame`)).status).toBe(422);
  });

  it("does not see a field that is hidden", async () => {
    const hide = (is_public: boolean) =>
      staff("/v1/schemas/object/description", { method: "PATCH", json: { is_public } });
    await hide(false);
    const all = await report("?finding=no_description");
    expect(all.total).toBe(all.checked);
    await hide(true);
    expect((await report("?finding=no_description")).total).toBe(1);
  });

  it("is open to those who may read objects", async () => {
    expect((await museum.ask(PATH)).status).toBe(401);
    expect((await (await museum.as("viewer"))(PATH)).status).toBe(200);
  });
});

inLong(describe)("svc-manage aggregator-check", () => {
  it("lists the objects, counts the findings, and fails when something would be refused", async () => {
    const office = await openOffice(quickest);
    onTestFinished(() => office.close());
    expect(await office.run("aggregator-check")).toMatchObject({
      code: 0,
      out: "0 public objects checked, none with findings",
    });
    await office.look(async (services) => {
      const { loadDemoMuseum } = await import("../../cli/demo/load.ts");
      await loadDemoMuseum(services);
    });
    const { code, out } = await office.run("aggregator-check", "--finding", "unaccepted_rights");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^OBJ-\d{6} {2}.+: has a rights statement that Europeana does not accept; has no public picture/m,
    );
    expect(out).toMatch(/^91 × no_image, refused by Deutsche Digitale Bibliothek and Europeana$/m);
    const json = JSON.parse((await office.run("aggregator-check", "--summary", "--json")).out);
    expect(json).toMatchObject({ checked: 91, total: 91, items: [], counts: { unaccepted_rights: 3 } });
    expect(await office.run("aggregator-check", "--finding", "no_frame")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^--finding must be one of no_title, .*, not "no_frame"$/),
    });
  });
});
