/** The serialisations of a record, by media type (RFC 9110 §8.3) and by the word in `?format=`. */
import type { Graph } from "../graph.ts";
import { jsonLd } from "./json-ld.ts";
import { linkedArt } from "./linked-art.ts";
import { turtle } from "./turtle.ts";

export const JSON_LD = "application/ld+json";
const TURTLE = "text/turtle";

/** Media type → words, in the order of preference. The service itself writes the first word. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  [JSON_LD]: ["jsonld", "json-ld"],
  [TURTLE]: ["turtle", "ttl"],
};

/** The profile of JSON-LD that Linked Art 1.0 asks for (https://linked.art/api/1.0/json-ld/). */
export const LINKED_ART = "https://linked.art/ns/v1/linked-art.json";

/** `type`: the `Content-Type`. */
export type Written = { type: string; text: string };

export function written(graph: Graph, baseUrl: string, type: string, isLinkedArt: boolean): Written {
  if (type === TURTLE) return { type: `${TURTLE}; charset=utf-8`, text: turtle(graph) };
  return isLinkedArt
    ? { type: `${JSON_LD}; profile="${LINKED_ART}"`, text: JSON.stringify(linkedArt(graph), null, 2) }
    : { type: JSON_LD, text: JSON.stringify(jsonLd(graph, baseUrl), null, 2) };
}

/** Whether an Accept header asks for Linked Art: a parameter of the media type, which negotiation ignores. */
export function asksForLinkedArt(accept: string | undefined): boolean {
  return (accept ?? "")
    .slice(0, 2_000)
    .split(",")
    .some((range) => range.trim().toLowerCase().startsWith(JSON_LD) && range.includes(LINKED_ART));
}
