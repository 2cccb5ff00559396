/**
 * Example queries. Each finds something in the demo museum. They use DISTINCT, because Oxigraph up to 0.5 repeats a triple for each
 * graph that contains it (https://github.com/oxigraph/oxigraph/issues/1919).
 */
import { PREFIXES } from "../../formats/rdf/patterns/names.ts";

const EXAMPLES = {
  "sparql.example.objects": `SELECT DISTINCT ?object ?title {
  ?object a crm:E22_Human-Made_Object ; rdfs:label ?title
} ORDER BY ?title LIMIT 50`,
  "sparql.example.makers": `SELECT ?maker ?name (COUNT(DISTINCT ?object) AS ?objects) {
  ?object crm:P108i_was_produced_by ?production .
  ?production crm:P9_consists_of?/crm:P14_carried_out_by ?maker .
  ?maker rdfs:label ?name
} GROUP BY ?maker ?name ORDER BY DESC(?objects) LIMIT 50`,
  "sparql.example.attributed": `# the property: P14_carried_out_by for "attributed to", P15_was_influenced_by for "workshop of"
SELECT DISTINCT ?object ?words ?person ?property {
  ?object crm:P108i_was_produced_by/crm:P9_consists_of?/crm:P140i_was_attributed_by ?attribution .
  ?attribution crm:P141_assigned ?person ; rdfs:label ?words
  OPTIONAL { ?attribution crm:P177_assigned_property_of_type ?property }
} ORDER BY ?person ?words LIMIT 50`,
  "sparql.example.dates": `SELECT DISTINCT ?object ?title ?earliest ?latest {
  ?object rdfs:label ?title ; crm:P108i_was_produced_by/crm:P4_has_time-span ?span .
  ?span crm:P82a_begin_of_the_begin ?earliest ; crm:P82b_end_of_the_end ?latest
} ORDER BY ?earliest LIMIT 50`,
  "sparql.example.materials": `# materials that are also in a thesaurus of others, such as the AAT
SELECT ?material ?same (COUNT(DISTINCT ?object) AS ?objects) {
  ?object crm:P45_consists_of ?concept .
  ?concept skos:prefLabel ?material ; skos:exactMatch ?same
  FILTER(LANG(?material) = "en")
} GROUP BY ?material ?same ORDER BY DESC(?objects)`,
  "sparql.example.classes": `SELECT ?class (COUNT(DISTINCT ?thing) AS ?things) {
  ?thing a ?class
} GROUP BY ?class ORDER BY DESC(?things)`,
} as const;

/** Each with the prefixes that it needs. */
export const EXAMPLE_QUERIES: readonly (readonly [keyof typeof EXAMPLES, string])[] = Object.entries(
  EXAMPLES,
).map(([key, query]) => {
  const prefixes = Object.entries(PREFIXES).filter(([name]) => new RegExp(`\\b${name}:`).test(query));
  const lines = prefixes.map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`).join("");
  return [key as keyof typeof EXAMPLES, lines === "" ? query : `${lines}\n${query}`];
});
