/** Everything that a visitor can read: every public address, in every format, files included. */
import { gunzipSync } from "node:zlib";
import { DELIVERY_FORMATS } from "../../src/formats/delivery.ts";
import { KINDS, kinds } from "../../src/records/kinds.ts";
import type { Museum } from "./museum/museum.ts";

/** What stands in braces in the paths of routes: all of these are tried where the name stands. */
export type Names = Readonly<Record<string, readonly string[]>>;
export type Outlet = { text: string; etag: string | null; status: number };

const ACCEPTED = ["*/*", "text/html", "application/ld+json", "text/turtle"];
const SPARQL = "SELECT * { GRAPH ?g { ?s ?p ?o } }";

/** @param questions further paths, with their queries */
export function outletsOf(museum: Museum, names: Names, questions: readonly string[]): string[] {
  const paths = museum.api.routes
    .filter(({ method, access, path }) => method === "GET" && access === "public" && !isFixed(path))
    .flatMap(({ path }) => filled(path, names));
  const ids = names.id ?? [];
  const ofKinds = KINDS.flatMap((kind) => {
    const plural = `/v1/${kinds[kind].plural}`;
    return [
      `${plural}?page_size=200`,
      ...ids.flatMap((id) => [
        `${plural}/${id}?include=title,relations,version,ark,media`,
        ...["turtle", "jsonld", ...DELIVERY_FORMATS.map(({ word }) => word)].map(
          (format) => `${plural}/${id}/export?format=${format}`,
        ),
        `${plural}/${id}/export?profile=https%3A%2F%2Flinked.art%2Fns%2Fv1%2Flinked-art.json`,
      ]),
    ];
  });
  const harvested = [
    "ListSets",
    ...DELIVERY_FORMATS.flatMap(({ prefix }) =>
      ["ListRecords", "ListIdentifiers"].map((verb) => `${verb}&metadataPrefix=${prefix}`),
    ),
  ];
  return [
    ...new Set([
      ...paths,
      ...ofKinds,
      ...harvested.map((verb) => `/oai?verb=${verb}`),
      `/sparql?query=${encodeURIComponent(SPARQL)}`,
      ...questions,
    ]),
  ];
}

/** Files of the program, which are the same for everybody. */
const isFixed = (path: string): boolean => /^\/(assets|api\/|openapi|admin)/.test(path);

function filled(path: string, names: Names): string[] {
  const [whole, name] = /\{(\w+)\}/.exec(path) ?? [];
  if (whole === undefined) return [path];
  return (names[name!] ?? []).flatMap((value) => filled(path.replace(whole, value), names));
}

/** Reads them all as a visitor; an address with its Accept is the key. */
export async function readOutlets(
  museum: Museum,
  paths: readonly string[],
  tags: ReadonlyMap<string, string> = new Map(),
): Promise<Map<string, Outlet>> {
  const all = new Map<string, Outlet>();
  for (const path of paths)
    for (const accept of path.includes("?") ? ACCEPTED.slice(0, 2) : ACCEPTED) {
      const key = `${path} ${accept}`;
      const tag = tags.get(key);
      const headers = { Accept: accept, ...(tag === undefined ? {} : { "If-None-Match": tag }) };
      const answer = await museum.ask(path, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const body = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
      const head = JSON.stringify([...answer.headers]);
      all.set(key, {
        text: `${body.toString("utf8")}\n${head}`,
        etag: answer.headers.get("ETag"),
        status: answer.status,
      });
    }
  return all;
}
