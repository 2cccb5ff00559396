/**
 * JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/) as one tree with the record as its root, made from the same triples
 * as the other serialisations. A node is written out where it is first mentioned; later there is only its id.
 */

import type { Graph, Literal, Statement } from "../graph.ts";
import type { Predicate } from "../patterns/names.ts";
import { CONTEXT_PATH, datatypeOf, isByLanguage, keyOf } from "./context.ts";

export type Json = Record<string, unknown>;

/** These have one value. All others are lists, even with one member. */
const SINGLE: readonly Predicate[] = [
  "P4_has_time-span",
  "P48_has_preferred_identifier",
  "P57_has_number_of_parts",
  "P81a_end_of_the_begin",
  "P81b_begin_of_the_end",
  "P82a_begin_of_the_begin",
  "P82b_end_of_the_end",
  "P90_has_value",
  "P91_has_unit",
  "P98i_was_born",
  "P100i_died_in",
  "P108i_was_produced_by",
];

export function jsonLd(graph: Graph, baseUrl: string): Json {
  const { described } = graph;
  const written = new Set<string>();
  const node = (iri: string): Json => {
    const statements = described.get(iri);
    if (!statements || written.has(iri)) return { id: iri };
    written.add(iri);
    return { id: iri, ...members(statements, node) };
  };
  const tree: Json = { "@context": baseUrl + CONTEXT_PATH, ...node(graph.about) };
  // nodes that cannot be reached from the record
  const rest = [...described.keys()].filter((iri) => !written.has(iri)).map(node);
  return rest.length === 0 ? tree : { ...tree, "@included": rest };
}

function members(statements: readonly Statement[], node: (iri: string) => Json): Json {
  const json: Json = {};
  for (const [predicate, object] of statements) {
    if (predicate === "rdf:type") {
      json.type = [...((json.type as unknown[]) ?? []), object];
    } else if (isByLanguage(predicate)) addText(json, keyOf(predicate), object as Literal);
    else {
      const value = typeof object === "string" ? node(object) : plain(predicate, object);
      const key = keyOf(predicate);
      if (SINGLE.includes(predicate) && !(key in json)) json[key] = value;
      else json[key] = [...[json[key] ?? []].flat(), value];
    }
  }
  if (Array.isArray(json.type) && json.type.length === 1) [json.type] = json.type;
  return json;
}

function addText(json: Json, key: string, { value, lang = "@none" }: Literal): void {
  const texts = (json[key] ?? {}) as Record<string, string | string[]>;
  const known = texts[lang];
  texts[lang] = known === undefined ? value : [known, value].flat();
  json[key] = texts;
}

function plain(predicate: Predicate, { value, lang, type }: Literal): unknown {
  if (lang !== undefined) return { "@value": value, "@language": lang };
  // a JSON number would lose digits
  return type === datatypeOf(predicate) ? value : { "@value": value, "@type": type };
}
