/** The files under /dumps/: everything public, nothing else, and complete at any time. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import jsonld from "jsonld";
import type { Quad } from "n3";
import { beforeAll, describe, expect, it } from "vitest";
import { loadDemoMuseum } from "../../../cli/demo/load.ts";
import { createApp } from "../../../src/app.ts";
import type { DumpSet } from "../../../src/dumps/published.ts";
import type { JobInput } from "../../../workers/job-kind.ts";
import { KIND_WORK } from "../../../workers/job-kinds.ts";
import { dumpDue, dumpDueAfterWithdrawal } from "../../../workers/make-dumps.ts";
import { createObject, read } from "../../support/museum/catalogue.ts";
import { museumHere, quickest } from "../../support/museum/museum.ts";
import { endLeases, officeHere } from "../../support/programs/command.ts";

/** What the museum of tests marks as secret (support/museum/marked.ts), and what this test adds. */
const SECRETS = /KESTREL|OSPREY|MERLIN|HARRIER|PEREGRINE|GOSHAWK|WRYNECK|FULMAR|NIGHTJAR/;
const HOSTILE = 'A "title" <b>&amp;</b> ]]> \u2028 \\ end';

type List = {
  made_at: string | null;
  files: { name: string; url: string; records: number; bytes: number; sha256: string }[];
};

describe("the files under /dumps/", async () => {
  const museum = await museumHere({ database: quickest, demo: "with media" });
  const editor = await museum.as("superuser");
  let hostile: string;

  const make = (report: JobInput["report"] = async () => undefined) =>
    KIND_WORK.dump.run({ services: museum.services, report } as JobInput);
  const list = () => read<List>(museum.ask("/dumps/index.json"));
  async function packed(name: string): Promise<Buffer> {
    const answer = await museum.ask(`/dumps/${name}`);
    expect(answer.status, name).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/gzip");
    return Buffer.from(await answer.arrayBuffer());
  }
  const textOf = async (name: string) => gunzipSync(await packed(name)).toString("utf8");

  it("do not exist at first, and the page says so", async () => {
    expect(await list()).toEqual({ made_at: null, files: [] });
    expect(await (await museum.ask("/dumps/", { headers: { Accept: "text/html" } })).text()).toContain(
      "no files yet",
    );
    expect((await museum.ask("/dumps/objects.ndjson.gz")).status).toBe(404);
  });

  it("contain all public records, in three formats, with their sizes and checksums", async () => {
    await createObject(editor, "NIGHTJAR");
    await createObject(editor, "FULMAR", { status: "internal" });
    ({ id: hostile } = await createObject(editor, HOSTILE, {
      status: "public",
      metadata_: { internal_note: [{ value: "FULMAR" }] },
    }));
    await make();
    const { made_at, files } = await list();
    expect(Math.abs(Date.parse(made_at!) - Date.now())).toBeLessThan(120_000);
    const sums = await (await museum.ask("/dumps/sha256sums.txt")).text();
    for (const { name, url, bytes, sha256 } of files) {
      expect(url).toBe(`${museum.services.config.baseUrl}/dumps/${name}`);
      const content = await packed(name);
      expect(content.length).toBe(bytes);
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
      expect(sums).toContain(`${sha256}  ${name}\n`);
      expect(gunzipSync(content).toString("utf8"), name).not.toMatch(SECRETS);
    }
    const counted = await museum.services.sql<{ record_type: string; n: number }[]>`
      select record_type, count(*)::int as n from records
      where status = 'public' and deleted_at is null and record_type <> 'storage_location' group by record_type`;
    const total = counted.reduce((sum, { n }) => sum + n, 0);
    const ofFile = (name: string) => files.find((file) => file.name === name)!.records;
    expect(ofFile("catalogue.nq.gz")).toBe(total);
    const objects = counted.find(({ record_type }) => record_type === "object")!.n;
    expect([ofFile("objects.ndjson.gz"), ofFile("objects.lido.xml.gz")]).toEqual([objects, objects]);
    expect(files.filter(({ name }) => name.endsWith(".ndjson.gz"))).toHaveLength(counted.length);
  });

  it("contain each record as visitors get it from the API, one in each line", async () => {
    const lines = (await textOf("objects.ndjson.gz"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    const pictured = lines.find(({ media, relations }) => media.length > 0 && relations.length > 0);
    for (const id of [hostile, pictured.id]) {
      const { record_type, relations, ...record } = lines.find((line) => line.id === id);
      expect(record_type).toBe("object");
      const { media_url, ...shown } = await read<Record<string, unknown>>(
        museum.ask(`/v1/objects/${id}?include=ark,media`),
      );
      expect(media_url).toMatch(`/v1/objects/${id}/media`);
      expect(record).toEqual(shown);
      const { items } = await read<{ items: { to_id: string }[] }>(
        museum.ask(`/v1/objects/${id}/relations?page_size=200`),
      );
      const there = new Set(items.map(({ to_id }) => to_id));
      for (const { to_id } of relations) expect(there.has(to_id)).toBe(true);
    }
    expect(lines.find(({ id }) => id === hostile).metadata_.title[0].value).toBe(HOSTILE);
  });

  it("contain LIDO in one well-formed document, and a graph for each record", async () => {
    const xml = await textOf("objects.lido.xml.gz");
    expect(xml).toContain(`/objects/${hostile}`);
    const path = join(museum.dataDir, "dump.xml");
    await writeFile(path, xml);
    await promisify(execFile)("xmllint", ["--nonet", "--noout", path]);
    expect(await textOf("catalogue.nq.gz")).toContain(`<urn:svc:graph:object:${hostile}> .`);
  });

  it("can be read in parts, and revalidated", async () => {
    const [{ name, bytes, sha256 }] = (await list()).files as [List["files"][0]];
    const ask = (headers: Record<string, string>) => museum.ask(`/dumps/${name}`, { headers });
    const part = await ask({ Range: "bytes=10-19", "If-Range": `"${sha256}"` });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 10-19/${bytes}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual((await packed(name)).subarray(10, 20));
    expect((await ask({ Range: "bytes=10-19", "If-Range": '"another"' })).status).toBe(200);
    expect((await ask({ Range: `bytes=${bytes}-` })).status).toBe(416);
    expect((await ask({ "If-None-Match": `"${sha256}"` })).status).toBe(304);
    expect((await museum.ask(`/dumps/${name}`, { method: "HEAD" })).headers.get("Content-Length")).toBe(
      String(bytes),
    );
    for (const other of ["current.json", "..%2Fsecret-key", "none.gz"])
      expect((await museum.ask(`/dumps/${other}`)).status, other).toBe(404);
  });

  it("stay complete if the next ones fail, and are deleted once those are complete", async () => {
    // within the same second, too
    await make();
    const before = await list();
    let reports = 0;
    const broken = make(async () => {
      reports += 1;
      if (reports === 4) throw new Error("the disk is full");
    });
    await expect(broken).rejects.toThrow("the disk is full");
    expect(await list()).toEqual(before);
    for (const { name, sha256 } of before.files)
      expect(
        createHash("sha256")
          .update(await packed(name))
          .digest("hex"),
      ).toBe(sha256);
    await read(editor(`/v1/objects/${hostile}/status`, { json: { status: "draft" } }));
    await make();
    expect(await textOf("objects.ndjson.gz")).not.toContain(hostile);
    expect((await readdir(museum.services.config.dumps.directory)).length).toBe(2);
  });

  it("are listed on a page in the reader's language", async () => {
    const html = (language: string) => ({ headers: { Accept: "text/html", "Accept-Language": language } });
    const page = await (await museum.ask("/dumps/", html("de"))).text();
    expect(page).toContain('href="/dumps/objects.ndjson.gz"');
    expect(page).toContain("Datensätze");
    // the counts of the search are lower
    const found = await read<{ total: number }>(museum.ask("/v1/search?type=object"));
    const [objects] = (await list()).files.filter(({ name }) => name === "objects.ndjson.gz");
    expect(objects!.records).toBeGreaterThan(found.total);
    expect(page).toContain("zum Beispiel abgegebene");
    expect((await museum.ask("/dumps", html("fr"))).status).toBe(200);
  });

  it("are described for portals of open data, and for search engines", async () => {
    const license = "http://creativecommons.org/publicdomain/zero/1.0/";
    await read(editor("/v1/settings", { method: "PATCH", json: { metadata_rights: license } }));
    const { made_at, files } = await list();
    const described = await museum.ask("/dumps/", { headers: { Accept: "application/ld+json" } });
    expect(described.headers.get("Content-Type")).toBe("application/ld+json");
    const quads = (await jsonld.toRDF((await described.json()) as object)) as Quad[];
    const of = (subject: string) =>
      Object.fromEntries(
        quads
          .filter((one) => one.subject.value === subject)
          .map((one) => [one.predicate.value, one.object.value]),
      );
    const page = `${museum.services.config.baseUrl}/dumps/`;
    const [dct, dcat] = ["http://purl.org/dc/terms/", "http://www.w3.org/ns/dcat#"];
    const whole = of(`${page}#dataset`);
    expect(whole).toMatchObject({ [`${dct}modified`]: made_at, [`${dct}license`]: license });
    expect(of(whole[`${dct}publisher`]!)["http://xmlns.com/foaf/0.1/name"]).toBeTruthy();
    for (const { name, bytes, sha256 } of files) {
      const file = of(`${page}#${name}`);
      expect(file).toMatchObject({
        [`${dct}license`]: license,
        [`${dcat}downloadURL`]: page + name,
        [`${dcat}byteSize`]: String(bytes),
      });
      const sum = of(file["http://spdx.org/rdf/terms#checksum"]!);
      expect(sum["http://spdx.org/rdf/terms#checksumValue"]).toBe(sha256);
    }
    const shown = await (await museum.ask("/dumps/", { headers: { Accept: "text/html" } })).text();
    const [, json] = /<script type="application\/ld\+json">(.+)<\/script>/.exec(shown)!;
    const dataset = JSON.parse(json!);
    expect(dataset).toMatchObject({ "@type": "Dataset", license, dateModified: made_at });
    // what Google's search of data sets asks for
    expect(dataset.description.length).toBeGreaterThanOrEqual(50);
    expect(dataset.distribution.map((each: { sha256: string }) => each.sha256)).toEqual(
      files.map(({ sha256 }) => sha256),
    );
  });

  it("are neither made nor shown if they are turned off", async () => {
    const { config } = museum.services;
    const off = { ...config, dumps: { ...config.dumps, enabled: false } };
    const { app } = createApp({ ...museum.services, config: off });
    for (const path of ["/dumps/", "/dumps/index.json", "/dumps/sha256sums.txt", "/dumps/objects.ndjson.gz"])
      expect((await app.request(path)).status, path).toBe(404);
    expect(await (await app.request("/llms.txt")).text()).not.toContain("/dumps/");
    const night = new Date("2026-11-22T05:00:00Z");
    expect([dumpDue.lastDue(off, night), dumpDueAfterWithdrawal.lastDue(off, night)]).toEqual([null, null]);
    expect(dumpDue.lastDue(config, night)?.toISOString()).toBe("2026-11-22T04:17:00.000Z");
  });
});

describe("svc-manage dump", async () => {
  const office = await officeHere(quickest);
  beforeAll(async () => {
    await office.look(async (services) => void (await loadDemoMuseum(services)));
  });

  it("makes the files at once, and leaves the former ones if it is killed", async () => {
    const done = await office.run("dump");
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ files written under \/dumps\//) });
    const root = join(office.settings.SVC_DATA_DIR!, "dumps");
    const set = JSON.parse(await readFile(join(root, "current.json"), "utf8")) as DumpSet;
    const command = office.begin("dump");
    const folders = async () => (await readdir(root)).filter((name) => name !== "current.json");
    const left = async () => {
      const [folder] = (await folders()).filter((name) => name !== set.folder);
      return folder === undefined ? [] : readdir(join(root, folder));
    };
    while (command.child.exitCode === null && (await left()).length === 0) await setTimeout(5);
    await command.kill("SIGKILL");
    expect(await folders()).toHaveLength(2);
    expect(JSON.parse(await readFile(join(root, "current.json"), "utf8"))).toEqual(set);
    for (const { name, sha256 } of set.files) {
      const content = await readFile(join(root, set.folder, name));
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
    }
    // what it left is deleted by the next one
    expect((await left()).length).toBeGreaterThan(0);
    await office.look(({ sql }) => endLeases(sql));
    expect((await office.run("dump")).code).toBe(0);
    const next = JSON.parse(await readFile(join(root, "current.json"), "utf8")) as DumpSet;
    expect(await folders()).toEqual([next.folder]);
    const names = await readdir(join(root, next.folder));
    expect(names.sort()).toEqual(next.files.map(({ name }) => name).sort());
  });
});
