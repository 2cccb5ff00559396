/** The media types of answers. The first of each is the default. */

export const SPARQL_JSON = "application/sparql-results+json";

export const RESULT_TYPES: readonly string[] = [
  SPARQL_JSON,
  "application/sparql-results+xml",
  "text/csv",
  "text/tab-separated-values",
  "application/json",
];

export const GRAPH_TYPES: readonly string[] = [
  "text/turtle",
  "application/n-triples",
  "application/ld+json",
  "application/rdf+xml",
];
