/** LIDO, EDM and Dublin Core: valid by their schemas whatever a record contains, and with public data only. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { DELIVERY_FORMATS } from "../../src/formats/delivery.ts";
import { viewsOf } from "../../src/formats/view.ts";
import { document } from "../../src/xml.ts";
import { linking, made } from "../support/museum/catalogue.ts";
import { museumHere } from "../support/museum/museum.ts";

/** What the museum of tests marks as secret (support/museum/marked.ts), and what this test adds. */
const SECRETS = /KESTREL|OSPREY|MERLIN|HARRIER|PEREGRINE|GOSHAWK|WRYNECK|NIGHTJAR/;
const { CONFORMANCE_SCHEMAS } = process.env;
const SCHEMAS = CONFORMANCE_SCHEMAS ?? fileURLToPath(new URL("../../../shared/schemas/", import.meta.url));
const XSD: Readonly<Record<string, string>> = {
  lido: join(SCHEMAS, "lido/lido-v1.1.xsd"),
  edm: join(SCHEMAS, "edm/src/main/resources/schema_xsds/EDM.xsd"),
  oai_dc: join(SCHEMAS, "oai/oai_dc.xsd"),
};

const museum = await museumHere({ demo: "with media" });
const staff = await museum.as("superuser");
const folder = await mkdtemp(join(tmpdir(), "svc-aggregation-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The documents of every public record of the kinds that the format covers, by file name. */
async function documents(prefix: string, ids?: readonly string[]): Promise<Map<string, string>> {
  const { kinds, write } = DELIVERY_FORMATS.find((format) => format.prefix === prefix)!;
  const rows = await museum.services.sql<{ id: string }[]>`
    select id from records where record_type = any(${kinds as string[]}) order by id`;
  const views = await viewsOf(museum.services, ids ?? rows.map(({ id }) => id));
  return new Map(views.map((view) => [`${view.record.row.idno}.xml`, document(write(view))]));
}

/** What xmllint reports: against the schema, or for well-formedness alone if the schema is not on this machine. */
async function faults(prefix: string, files: ReadonlyMap<string, string>): Promise<string> {
  const place = join(folder, crypto.randomUUID());
  await mkdir(place);
  for (const [name, text] of files) await writeFile(join(place, name), text);
  const schema = existsSync(XSD[prefix]!) ? ["--schema", XSD[prefix]!] : [];
  const names = [...files.keys()].map((name) => join(place, name));
  try {
    await promisify(execFile)("xmllint", ["--nonet", "--noout", ...schema, ...names]);
    return "";
  } catch (error) {
    const { stderr } = error as { stderr: string };
    const lines = stderr.split("\n").filter((line) => !/ validates$| parser warning : /.test(line));
    return lines.join("\n").slice(0, 3_000);
  }
}

/** A title that breaks XML unless it is escaped, and is as long as a title may be. */
const HOSTILE = `]]></lido:appellationValue> &amp; &#0; <!-- <![CDATA[ "'> 𝄞 \u0085 ${"x&<".repeat(2_000)}`;

const published = (plural: string, body: object) => made(staff, plural, { status: "public", ...body });
const link = linking(staff);

describe.each(["lido", "edm", "oai_dc"])("%s", (prefix) => {
  it("is valid for every record of the demo museum, and contains none of its secrets", async () => {
    const files = await documents(prefix);
    expect(files.size).toBeGreaterThan(80);
    expect(await faults(prefix, files)).toBe("");
    for (const [name, text] of files) expect(text, name).not.toMatch(SECRETS);
    for (const [name, text] of files) expect(text, name).not.toContain("/storage-locations/");
  });

  it("is valid whatever a record contains, and contains it unchanged", async () => {
    const hostile = [{ value: HOSTILE, lang: "en" }];
    const schema = await (await staff("/v1/schemas/object")).json();
    const { fields } = schema as { fields: { name: string; field_type: string; is_repeatable: boolean }[] };
    const metadata_ = Object.fromEntries(
      fields
        .filter(({ field_type }) => /^(text|richtext|vocab_free|measurement)$/.test(field_type))
        .map(({ name }) => [name, name === "title" ? hostile : [{ value: HOSTILE.slice(0, 200) }]]),
    );
    const id = await published("objects", { object_type: "print", metadata_ });
    const maker = await published("entities", {
      entity_type: "person",
      metadata_: { name: hostile, birth_date: [{ value: "-0043" }], death_date: [{ value: "../1920" }] },
    });
    await link(id, "created_by", "entity", maker);
    const files = await documents(prefix, [id]);
    expect(await faults(prefix, files)).toBe("");
    const [text] = [...files.values()];
    expect(text).toContain("]]&gt;&lt;/lido:appellationValue&gt; &amp;amp; &amp;#0;");
  });

  it("contains no field, record or file that is not public", async () => {
    const secret = [{ value: "NIGHTJAR" }];
    const name = [{ value: "WHEATEAR" }];
    const hidden = await made(staff, "entities", { entity_type: "person", metadata_: { name } });
    const id = await published("objects", {
      object_type: "print",
      metadata_: { title: [{ value: "The public print" }], internal_note: secret, condition_note: secret },
    });
    await link(id, "created_by", "entity", hidden);
    const [before] = [...(await documents(prefix, [id])).values()];
    expect(before).toContain("The public print");
    expect(before).not.toMatch(/NIGHTJAR|WHEATEAR/);
    expect(before).not.toContain(hidden);
    expect((await staff(`/v1/entities/${hidden}/publish`, { method: "POST" })).status).toBe(200);
    expect([...(await documents(prefix, [id])).values()][0]).toContain("WHEATEAR");
    expect((await staff(`/v1/objects/${id}/status`, { json: { status: "draft" } })).status).toBe(200);
    expect((await documents(prefix, [id])).size).toBe(0);
  });
});

it("LIDO names the licence of the record itself if the museum has set one", async () => {
  const rights = "https://creativecommons.org/publicdomain/zero/1.0/";
  const change = (metadata_rights: string | null) =>
    staff("/v1/settings", { method: "PATCH", json: { metadata_rights } });
  expect([...(await documents("lido")).values()].join()).not.toContain("<lido:recordRights>");
  expect((await change(rights)).status).toBe(200);
  try {
    const files = await documents("lido");
    expect(await faults("lido", files)).toBe("");
    for (const [name, text] of files)
      expect(text, name).toMatch(
        /<lido:recordRights><lido:rightsType><lido:conceptID[^>]*>http:\/\/creativecommons/,
      );
  } finally {
    await change(null);
  }
});

describe("an export for aggregators", () => {
  it("is available as LIDO, EDM and Dublin Core, and caches can revalidate it", async () => {
    const path = `/v1/objects/${museum.demo.get("obj-figurehead")}/export?format=`;
    for (const [word, root] of [
      ["lido", "<lido:lido "],
      ["edm", "<rdf:RDF "],
      ["dc", "<oai_dc:dc "],
    ] as const) {
      const answer = await museum.ask(`/api${path}${word}`);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
        200,
        "application/xml; charset=utf-8",
      ]);
      expect(await answer.text()).toContain(`<?xml version="1.0" encoding="UTF-8"?>\n${root}`);
      const again = { headers: { "If-None-Match": answer.headers.get("ETag")! } };
      expect((await museum.ask(`${path}${word}`, again)).status).toBe(304);
    }
  });

  it("is refused in a format that does not cover the kind of record", async () => {
    const entity = museum.demo.get("ent-isobel-rennie");
    expect((await museum.ask(`/v1/entities/${entity}/export?format=dc`)).status).toBe(200);
    const answer = await museum.ask(`/v1/entities/${entity}/export?format=lido`);
    const { errors } = (await answer.json()) as { errors: unknown };
    expect([answer.status, errors]).toEqual([
      422,
      [
        {
          pointer: "query:format",
          detail: "lido is not for people and organisations; choose one of jsonld, json-ld, turtle, ttl, dc",
          code: "export.kind",
        },
      ],
    ]);
  });

  it("is not made of a record that is not public", async () => {
    const [draft] = await museum.services.sql<{ id: string }[]>`
      select id from records where record_type = 'object' and status = 'draft' limit 1`;
    for (const word of ["lido", "edm", "dc"]) {
      const path = `/v1/objects/${draft!.id}/export?format=${word}`;
      expect((await museum.ask(path)).status).toBe(404);
      const detail = ((await (await staff(path)).json()) as { detail: string }).detail;
      expect(detail).toContain("is not public");
    }
  });
});
