/**
 * A record in the shape of Linked Art 1.0 (https://linked.art/api/1.0/): the same graph, as far as Linked Art has a place
 * for it. Names are Names whether or not they are titles, concepts have the id that others know, what an object shows is a
 * VisualItem, and collections are Sets.
 */
import type { Graph, Literal, Triple } from "./graph.ts";
import type { Json } from "./json-ld.ts";
import { LINKED_ART_LISTS, LINKED_ART_SINGLES, LINKED_ART_TYPES } from "./linked-art-names.ts";
import type { ClassName, Predicate } from "./names.ts";

const CONTEXT = "https://linked.art/ns/v1/linked-art.json";

type Described = ReadonlyMap<string, readonly Triple[]>;

export function linkedArt(graph: Graph): Json {
  const described = new Map<string, Triple[]>();
  for (const triple of graph.triples) described.set(triple[0], [...(described.get(triple[0]) ?? []), triple]);
  return { "@context": CONTEXT, ...nodeOf(described, graph.about, [])! };
}

/** Null for what Linked Art has no class for. `path`: what it stands in, none of which is described again. */
function nodeOf(described: Described, iri: string, path: readonly string[]): Json | null {
  const triples = described.get(iri) ?? [];
  const type = typeOf(triples);
  if (!type) return null;
  const label = labelOf(triples);
  const node: Json = { id: idOf(triples, iri), type, ...(label === null ? {} : { _label: label }) };
  if (path.includes(iri)) return node;
  for (const [, predicate, object] of triples) {
    addTo(node, described, { predicate, object, path: [...path, iri] });
  }
  if (type === "TimeSpan" && label !== null) push(node, "identified_by", { type: "Name", content: label });
  return node;
}

type Said = { predicate: Predicate; object: string | Literal; path: readonly string[] };

function addTo(node: Json, described: Described, { predicate, object, path }: Said): void {
  if (typeof object !== "string") {
    const key = LINKED_ART_SINGLES[predicate];
    if (key && !(key in node)) node[key] = plain(predicate, object.value);
  } else if (predicate === "owl:sameAs") push(node, "equivalent", { id: object, type: node.type });
  else if (predicate === "P104_is_subject_to") push(node, "subject_to", right(described, object));
  else if (predicate === "P62_depicts") push(shown(node), "represents", nodeOf(described, object, path));
  else if (predicate === "P128_carries") carry(node, nodeOf(described, object, path));
  else addNode(node, predicate, nodeOf(described, object, path));
}

function addNode(node: Json, predicate: Predicate, value: Json | null): void {
  const single = LINKED_ART_SINGLES[predicate];
  if (single) {
    if (value && !(single in node)) node[single] = value;
    return;
  }
  const list = LINKED_ART_LISTS[predicate];
  if (list) push(node, value?.type === "Set" ? "member_of" : list, value);
}

function push(node: Json, key: string, value: Json | null): void {
  if (value) node[key] = [...((node[key] as unknown[]) ?? []), value];
}

/** Where Linked Art says what a thing depicts. */
function shown(node: Json): Json {
  if (!node.shows) node.shows = [{ type: "VisualItem" }];
  return (node.shows as Json[])[0]!;
}

function carry(node: Json, value: Json | null): void {
  if (value?.type !== "VisualItem") push(node, "carries", value);
  else Object.assign(shown(node), value);
}

/** The address is that of the statement or licence, which many objects have. */
function right(described: Described, iri: string): Json {
  const label = labelOf(described.get(iri) ?? []);
  const named = label === null ? {} : { _label: label };
  return {
    type: "Right",
    ...named,
    ...(iri.includes("#") ? {} : { classified_as: [{ id: iri, type: "Type", ...named }] }),
  };
}

function typeOf(triples: readonly Triple[]): string | undefined {
  return triples
    .filter(([, predicate]) => predicate === "rdf:type")
    .map(([, , object]) => LINKED_ART_TYPES[object as ClassName])
    .find((name) => name !== undefined);
}

/** Of a concept, what others call it too. */
function idOf(triples: readonly Triple[], iri: string): string {
  const same = triples.find(([, predicate]) => predicate === "skos:exactMatch");
  return (same?.[2] as string | undefined) ?? iri;
}

/** Linked Art has one label, for those who write programs. */
function labelOf(triples: readonly Triple[]): string | null {
  const labels = triples
    .filter(([, predicate]) => predicate === "rdfs:label")
    .map(([, , object]) => object as Literal);
  return (labels.find(({ lang }) => lang === "en") ?? labels[0])?.value ?? null;
}

function plain(predicate: Predicate, value: string): unknown {
  return predicate === "P90_has_value" || predicate === "P57_has_number_of_parts" ? Number(value) : value;
}
