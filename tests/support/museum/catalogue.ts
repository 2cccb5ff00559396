/** For tests of the records room: sample records, and reading answers with an expected status. */
import { expect } from "vitest";
import type { Kind } from "../../../src/records/kinds.ts";
import type { Metadata } from "../../../src/records/record.ts";
import type { Ask, Museum, Role } from "./museum.ts";

export type RecordJson = {
  id: string;
  idno: string;
  status: string;
  metadata_: Metadata;
  created_at: string;
  updated_at: string;
  [column: string]: unknown;
};
export type Page<T = RecordJson> = { total: number; page: number; page_size: number; items: T[] };
/** What a search found. */
export type Found = {
  total: number;
  items: { id: string; record_type: string; title: string; status: string; score: number }[];
  facets: Record<string, { value: string; count: number }[]>;
};
export type ProblemJson = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code?: string;
  instance: string;
  errors?: { pointer: string; detail: string; code?: string }[];
};
export type BulkLine = {
  line: number;
  outcome: string;
  id: string;
  idno: string;
  errors?: NonNullable<ProblemJson["errors"]>;
};

/** The body of an answer, which must have this status. */
export async function read<T = RecordJson>(answer: Response | Promise<Response>, status = 200): Promise<T> {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text.slice(0, 500)).toBe(status);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The text of an answer, which must have this status and contain these words. */
export async function answered(
  answer: Response | Promise<Response>,
  status: number,
  words: string | RegExp = "",
): Promise<string> {
  const response = await answer;
  const text = await response.text();
  const fits = typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
  expect([response.status, text]).toEqual([status, fits]);
  return text;
}

/** The pointers of a problem's faults; fails when the answer is no such problem. */
export async function faults(answer: Response | Promise<Response>, status = 422): Promise<string[]> {
  const response = await answer;
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  const problem = await read<ProblemJson>(response, status);
  expect(problem.status).toBe(status);
  return (problem.errors ?? []).map((fault) => fault.pointer);
}

export const said = (value: string) => [{ value }];
export const english = (value: string) => [{ value, lang: "en" }];

/** A draft that each kind accepts and that may be published, except storage locations. */
export const samples: Record<Kind, { plural: string; prefix: string; draft: Record<string, unknown> }> = {
  object: {
    plural: "objects",
    prefix: "OBJ-",
    draft: { object_type: "painting", metadata_: { title: english("Harbour at dusk") } },
  },
  entity: {
    plural: "entities",
    prefix: "ENT-",
    draft: { entity_type: "person", metadata_: { name: english("Ida Brandt") } },
  },
  place: {
    plural: "places",
    prefix: "PLC-",
    draft: { place_type: "settlement", lat: 54.8, lon: 9.4, metadata_: { name: english("Sternhöft") } },
  },
  occurrence: {
    plural: "occurrences",
    prefix: "OCC-",
    draft: { occurrence_type: "exhibition", metadata_: { title: english("Ships and stars") } },
  },
  procedure: {
    plural: "procedures",
    prefix: "PRC-",
    draft: {
      procedure_type: "inventory",
      start_date: "2026-01-31",
      reference_number: "INV 2026/1",
      metadata_: { title: english("Yearly inventory") },
    },
  },
  collection: {
    plural: "collections",
    prefix: "COL-",
    draft: { collection_type: "permanent", metadata_: { title: english("Marine painting") } },
  },
  storage_location: {
    plural: "storage-locations",
    prefix: "LOC-",
    draft: { storage_location_type: "room", metadata_: { name: english("Attic") } },
  },
};

/** The id of a new record. */
export const made = async (ask: Ask, plural: string, json: object): Promise<string> =>
  (await read(ask(`/v1/${plural}`, { json }), 201)).id;

/** What was made at this address. */
export const posted = <T = RecordJson>(ask: Ask, path: string, json: object): Promise<T> =>
  read<T>(ask(path, { json }), 201);

/** What is at this address, after the change. */
export const patched = <T = RecordJson>(ask: Ask, path: string, json: object): Promise<T> =>
  read<T>(ask(path, { method: "PATCH", json }));

/** Links objects with other records; each link must be new. */
export const linking =
  (ask: Ask) => (id: string, relation_type: string, to_type: string, to_id: string, metadata_?: object) =>
    posted(ask, `/v1/objects/${id}/relations`, { relation_type, to_type, to_id, metadata_ });

/** Asks as somebody with a new role, which has these permissions. */
export async function withRole(
  museum: Museum,
  name: string,
  records: Partial<Record<Kind, string[]>>,
  features: string[] = [],
): Promise<Ask> {
  const permissions = { records, features };
  await posted(await museum.as("superuser"), "/v1/roles", { name, label: { en: name }, permissions });
  return museum.as(name as Role);
}

/** Asks with a new key of this account, which has these permissions. */
export async function withKey({ ask }: Museum, owner: Ask, ...permissions: string[]): Promise<Ask> {
  const { id } = await read(owner("/v1/auth/me"));
  const wish = { name: "Program", permissions };
  const { key } = await posted<{ key: string }>(owner, `/v1/users/${id}/api-keys`, wish);
  return (path, { headers, ...init } = {}) =>
    ask(path, { ...init, headers: { ...(headers as object), "X-API-Key": key } });
}

/** What became of each line of a bulk write. `kind`: `objects`, or `objects?upsert=merge`. */
export async function bulk<T = BulkLine>(ask: Ask, kind: string, ndjson: readonly unknown[]): Promise<T[]> {
  const answer = await ask(`/v1/${kind.replace(/\?|$/, "/bulk$&")}`, { ndjson });
  const text = await answer.text();
  expect(answer.status, text.slice(0, 500)).toBe(200);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** A record of this kind as it was created; `more` overrides parts of the sample. */
export async function create(ask: Ask, kind: Kind, more: Record<string, unknown> = {}): Promise<RecordJson> {
  const { plural, draft } = samples[kind];
  return read(ask(`/v1/${plural}`, { json: { ...draft, ...more } }), 201);
}

/** An object with this title, and with other fields that `more` has. */
export async function createObject(
  ask: Ask,
  title: string,
  { metadata_, ...more }: { metadata_?: object; [column: string]: unknown } = {},
): Promise<RecordJson> {
  return create(ask, "object", { metadata_: { title: english(title), ...metadata_ }, ...more });
}

/** Makers, works, and links that start from them. All are public unless `more` says otherwise. */
export const writing = (ask: Ask) => ({
  maker: (name: string, metadata_: object = {}, more: object = {}) =>
    made(ask, "entities", {
      ...{ entity_type: "person", status: "public", metadata_: { name: said(name), ...metadata_ }, ...more },
    }),
  work: (title: string, metadata_: object = {}, more: object = {}) =>
    made(ask, "objects", {
      ...{
        object_type: "painting",
        status: "public",
        metadata_: { title: said(title), ...metadata_ },
        ...more,
      },
    }),
  shelf: (name: string) =>
    made(ask, "storage-locations", { storage_location_type: "shelf", metadata_: { name: said(name) } }),
  link: (path: string, relation_type: string, to_type: string, to_id: string, metadata_: object = {}) =>
    read(ask(`/v1/${path}/relations`, { json: { relation_type, to_type, to_id, metadata_ } }), 201),
});

/** The targets of a Link header by their relation. */
export function linksOf(answer: Response): Record<string, string> {
  const header = answer.headers.get("Link") ?? "";
  return Object.fromEntries(
    [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [rel!, target!]),
  );
}
