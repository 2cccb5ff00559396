/** Compares the database with everything derived from it: lists, search, triple store, OAI-PMH, sitemap, feed. */
import type { Sql } from "../../src/services.ts";
import type { Answer, Json } from "../runtimes/started.ts";
import { COMMON, type Ledger } from "./ledger.ts";
import type { Traffic } from "./traffic.ts";
import { harvestOnce } from "./visitors.ts";

type Row = {
  id: string;
  title: string;
  is_public: boolean;
  note: string | null;
  was_public: boolean;
  has_media: boolean;
};

/** Answers how much was compared. */
export async function checkPublic(
  sql: Sql,
  traffic: Traffic,
  ledger: Ledger,
  hasGraphs: boolean,
): Promise<string> {
  const rows = await sql<Row[]>`
    select id, title, status = 'public' and deleted_at is null as is_public, published_at is not null as was_public,
      metadata #>> '{description,0,value}' as note,
      exists (select 1 from object_media m
        where m.object_id = records.id and m.deleted_at is null and m.visibility = 'public') as has_media
    from records where record_type = 'object'`;
  const shown = rows.filter(({ is_public }) => is_public);
  const ids = new Set(shown.map(({ id }) => id));
  const compare = (what: string, found: Iterable<string>, expected: ReadonlySet<string>) => {
    const seen = new Set(found);
    const more = [...seen].filter((id) => !expected.has(id));
    const fewer = [...expected].filter((id) => !seen.has(id));
    if (more.length > 0) traffic.wrong.add(`${what}: ${more.length} that should not be there: ${more[0]}`);
    if (fewer.length > 0) traffic.wrong.add(`${what}: ${fewer.length} are missing: ${fewer[0]}`);
  };

  compare("the list", await listed(traffic), ids);
  const common = shown.filter(({ title }) => title.startsWith(`${COMMON} `));
  if (common.length <= 10_000)
    compare("the search", await found(traffic), new Set(common.map(({ id }) => id)));

  const copy = ledger.harvested;
  compare("what was harvested bit by bit", live(copy), ids);
  const once: Pick<Ledger, "harvested" | "from"> = { harvested: new Map(), from: "" };
  while (!(await harvestOnce(traffic, once))) await traffic.answer("/oai?verb=Identify");
  compare("OAI-PMH", live(once.harvested), ids);
  const past = rows.filter(({ was_public, is_public }) => was_public && !is_public);
  const gone = [...once.harvested].filter(([, { deleted }]) => deleted).map(([id]) => id);
  compare("deleted records of OAI-PMH", gone, new Set(past.map(({ id }) => id)));

  compare("the sitemap", await inSitemap(traffic), ids);
  const pictured = shown.filter(({ has_media }) => has_media);
  compare("the feed of changes", await inFeed(traffic), new Set(pictured.map(({ id }) => id)));
  if (hasGraphs) await checkGraphs(traffic, shown, compare);

  for (const { id } of rows.filter(({ is_public }) => !is_public).slice(0, 300)) {
    const status = (await traffic.answer(`/v1/objects/${id}`)).status;
    if (status !== 404 && status !== 410)
      traffic.wrong.add(`a visitor of ${id}, which is hidden, got ${status}`);
  }
  return `${shown.length} public objects, ${rows.length - shown.length} others`;
}

const live = (copy: Ledger["harvested"]) => [...copy].filter(([, { deleted }]) => !deleted).map(([id]) => id);

async function listed(traffic: Traffic): Promise<string[]> {
  const ids: string[] = [];
  let next: string | undefined = "/v1/objects?page_size=200&sort_by=created_at&sort_dir=asc";
  while (next) {
    const { json, headers }: Answer = await traffic.answer(next);
    ids.push(...json.items.map(({ id }: { id: string }) => id));
    next = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];
  }
  return ids;
}

async function found(traffic: Traffic): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { json } = await traffic.answer(`/portal/v1/search?q=${COMMON}&page_size=100&page=${page}`);
    const items: { id: string }[] = json.items;
    ids.push(...items.map(({ id }) => id));
    if (items.length < 100 || page === 100) return ids;
  }
}

async function inSitemap(traffic: Traffic): Promise<string[]> {
  const locations = ({ text }: Answer) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at!);
  const ids: string[] = [];
  for (const file of locations(await traffic.answer("/sitemap.xml")))
    for (const at of locations(await traffic.answer(new URL(file).pathname + new URL(file).search)))
      if (at.includes("/objects/")) ids.push(at.split("/").at(-1)!);
  return ids;
}

/** Reads the feed back from its last page; the first entry about an object counts. */
async function inFeed(traffic: Traffic): Promise<string[]> {
  const types = new Map<string, string>();
  let next = (await traffic.answer("/iiif/discovery/changes")).json.last?.id as string | undefined;
  while (next) {
    const page: Json = (await traffic.answer(new URL(next).pathname)).json;
    for (const { type, object } of [...page.orderedItems].reverse()) {
      const id = /[0-9a-f-]{36}/.exec(object.id)?.[0];
      if (id && object.type === "Manifest" && !types.has(id)) types.set(id, type);
    }
    next = page.prev?.id;
  }
  return [...types].filter(([, type]) => type !== "Delete").map(([id]) => id);
}

/** Each public object has its graph, with its current text. */
async function checkGraphs(
  traffic: Traffic,
  shown: readonly Row[],
  compare: (what: string, found: Iterable<string>, expected: ReadonlySet<string>) => void,
): Promise<void> {
  const query = 'SELECT ?g ?o { GRAPH ?g { ?s ?p ?o FILTER(isLiteral(?o) && STRSTARTS(STR(?o), "note")) } }';
  const headers = { Accept: "text/csv" };
  const { text } = await traffic.answer(`/sparql?query=${encodeURIComponent(query)}`, { headers });
  const pairs = text.split(/\r?\n/).slice(1).filter(Boolean);
  const isObject = (line: string) => line.startsWith("urn:svc:graph:object:");
  compare(
    "the triple store",
    pairs.filter(isObject).map((line) => line.slice("urn:svc:graph:object:".length)),
    new Set(shown.map(({ id, note }) => `${id},${note}`)),
  );
}
