/**
 * A record as Linked Art 1.0 (https://linked.art/api/1.0/): the parts of the graph that Linked Art supports. Titles
 * are Names, concepts have their external id, the depicted content and its rights are a VisualItem, inscriptions are
 * statements, and collections are Sets.
 */

import type { Graph, Literal, Statement } from "../graph.ts";
import { CARRIED_OUT_BY, INFLUENCED_BY } from "../patterns/attributions.ts";
import type { ClassName, Predicate } from "../patterns/names.ts";
import type { Json } from "./json-ld.ts";
import {
  LINKED_ART_LISTS,
  LINKED_ART_MEMBERS,
  LINKED_ART_PARTS,
  LINKED_ART_SINGLES,
  LINKED_ART_TYPES,
} from "./linked-art-names.ts";

const CONTEXT = "https://linked.art/ns/v1/linked-art.json";

/** Linked Art models a procedure as an activity, and its effects as properties of the object. */
const PROCEDURES = [
  "Acquisition",
  "AttributeAssignment",
  "Creation",
  "Modification",
  "Move",
  "Production",
  "TransferOfCustody",
];

/** Nodes whose label is all that says in words what they are. */
const NAMED_BY_LABEL = ["AttributeAssignment", "TimeSpan"];

/** IRI of a property that is assigned → its key. */
const ASSIGNED: Readonly<Record<string, string>> = {
  [CARRIED_OUT_BY]: "carried_out_by",
  [INFLUENCED_BY]: "influenced_by",
};

type Described = ReadonlyMap<string, readonly Statement[]>;

export function linkedArt(graph: Graph): Json {
  return { "@context": CONTEXT, ...nodeOf(graph.described, graph.about, []) };
}

/** Null for a node without a Linked Art class. Other records are only named. @param path the IRIs of the enclosing nodes */
function nodeOf(described: Described, iri: string, path: readonly string[]): Json | null {
  const statements = described.get(iri) ?? [];
  const found = typeOf(statements);
  if (!found) return null;
  const type = PROCEDURES.includes(found) && !iri.includes("#") ? "Activity" : found;
  const label = labelOf(statements);
  const isPart = path.length > 0 && LINKED_ART_PARTS.has(type) && iri.includes("#");
  const node: Json = {
    ...(isPart ? {} : { id: idOf(statements, iri) }),
    type,
    ...(label === null ? {} : { _label: label }),
  };
  if (path.includes(iri) || (path.length > 0 && !iri.startsWith(`${path[0]}#`) && !isConcept(type)))
    return node;
  for (const [predicate, object] of statements) {
    addTo(node, described, { predicate, object, path: [...path, iri] });
  }
  if (NAMED_BY_LABEL.includes(type) && label !== null)
    push(node, "identified_by", { type: "Name", content: label });
  return node;
}

/** Nodes that are written in full even where they belong to another record. */
const isConcept = (type: string): boolean => ["Type", "DigitalObject", "DigitalService"].includes(type);

type Property = { predicate: Predicate; object: string | Literal; path: readonly string[] };

function addTo(node: Json, described: Described, { predicate, object, path }: Property): void {
  if (typeof object !== "string") {
    const key = LINKED_ART_SINGLES[predicate];
    if (key && !(key in node)) set(node, key, plain(predicate, object.value));
    return;
  }
  if (predicate === "P177_assigned_property_of_type") set(node, "assigned_property", ASSIGNED[object]);
  else if (predicate === "owl:sameAs") push(node, "equivalent", { id: object, type: node.type });
  else if (predicate === "dcterms:conformsTo") {
    push(node, "conforms_to", { id: object, type: "InformationObject" });
  } else if (predicate === "P104_is_subject_to") {
    // Linked Art has no key for this on a VisualItem
    if (node.type === "VisualItem") return;
    push(node.type === "HumanMadeObject" ? visualItemOf(node) : node, "subject_to", right(described, object));
  } else {
    const value = nodeOf(described, object, path);
    if (predicate === "P62_depicts") push(visualItemOf(node), "represents", value);
    else if (predicate === "P128_carries") carry(node, value);
    else if (predicate === "P12i_was_present_at") takePart(node, "used_for", value);
    else if (predicate === "P11i_participated_in") takePart(node, "participated_in", value);
    else if (predicate === "P129i_is_subject_of") addSubjectOf(node, value);
    else if (value) addNode(node, predicate, value);
  }
}

function addNode(node: Json, predicate: Predicate, value: Json): void {
  const single = LINKED_ART_SINGLES[predicate];
  // Linked Art describes a creation with the created record, not with its maker
  if (predicate === "P14i_performed" && value.type !== "Activity") return;
  if (single === "part_of" && value.id === undefined) return;
  if (value.type === "Set") push(node, "member_of", value);
  else if (single && node.type !== "Set") set(node, single, node[single] ?? value);
  else push(node, LINKED_ART_LISTS[predicate], value);
}

const mayHave = (node: Json, key: string): boolean =>
  LINKED_ART_MEMBERS[node.type as string]?.includes(key) ?? false;

function set(node: Json, key: string, value: unknown): void {
  if (mayHave(node, key)) node[key] = value;
}

function push(node: Json, key: string | undefined, value: Json | null): void {
  if (value && key !== undefined && mayHave(node, key))
    node[key] = [...((node[key] as unknown[]) ?? []), value];
}

/** The VisualItem of a thing, which has its subjects and rights; made on first use. */
function visualItemOf(node: Json): Json {
  if (!node.shows && mayHave(node, "shows")) node.shows = [{ type: "VisualItem" }];
  return (node.shows as Json[] | undefined)?.[0] ?? {};
}

function carry(node: Json, value: Json | null): void {
  if (value?.type === "VisualItem") Object.assign(visualItemOf(node), value);
  else push(node, "referred_to_by", value);
}

/** Adds a file that is about the record. Linked Art wants the content of the file there. */
function addSubjectOf(node: Json, value: Json | null): void {
  if (value?.type !== "DigitalObject") return;
  push(node, "subject_of", { type: "LinguisticObject", digitally_carried_by: [value] });
}

/** Adds a participant. Linked Art wants an activity of their own, which is part of the event. */
function takePart(node: Json, key: "used_for" | "participated_in", value: Json | null): void {
  const isEvent = value?.id !== undefined && ["Activity", "Event"].includes(value.type as string);
  if (isEvent) push(node, key, { type: "Activity", part_of: value });
}

/** A right: its address is that of the rights statement or licence. */
function right(described: Described, iri: string): Json {
  const label = labelOf(described.get(iri) ?? []);
  const named = label === null ? {} : { _label: label };
  const kind = { classified_as: [{ id: iri, type: "Type", ...named }] };
  return { type: "Right", ...named, ...(iri.includes("#") ? {} : kind) };
}

function typeOf(statements: readonly Statement[]): string | undefined {
  return statements
    .filter(([predicate]) => predicate === "rdf:type")
    .map(([, object]) => LINKED_ART_TYPES[object as ClassName])
    .find((name) => name !== undefined);
}

/** The IRI by which others know the concept, if there is one; else our own. */
function idOf(statements: readonly Statement[], iri: string): string {
  const same = statements.find(([predicate]) => predicate === "skos:exactMatch");
  return (same?.[1] as string | undefined) ?? iri;
}

/** Linked Art has a single label, meant for programmers. */
function labelOf(statements: readonly Statement[]): string | null {
  const labels = statements
    .filter(([predicate]) => predicate === "rdfs:label")
    .map(([, object]) => object as Literal);
  return (labels.find(({ lang }) => lang === "en") ?? labels[0])?.value ?? null;
}

function plain(predicate: Predicate, value: string): unknown {
  return predicate === "P90_has_value" ? Number(value) : value;
}
