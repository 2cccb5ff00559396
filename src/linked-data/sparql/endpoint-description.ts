/**
 * Describes the endpoint (https://www.w3.org/TR/sparql11-service-description/) and its data (https://www.w3.org/TR/void/). This is
 * a query, so that the store counts the data and writes the requested format.
 */

import { PREFIXES } from "../../formats/rdf/patterns/names.ts";
import { kinds, PUBLIC_KINDS } from "../../records/kinds.ts";

const FORMATS = ["SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"];
const GRAPH_FORMATS = ["Turtle", "N-Triples", "JSON-LD", "RDF_XML"];

export function endpointDescription(baseUrl: string): string {
  const formats = [...FORMATS, ...GRAPH_FORMATS].map((name) => `<http://www.w3.org/ns/formats/${name}>`);
  const dumps = PUBLIC_KINDS.map((kind) => `<${baseUrl}/v1/${kinds[kind].plural}/export>`);
  return `PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
PREFIX void: <http://rdfs.org/ns/void#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
CONSTRUCT {
  <${baseUrl}/sparql> a sd:Service ;
    sd:endpoint <${baseUrl}/sparql> ;
    sd:supportedLanguage sd:SPARQL11Query ;
    sd:feature sd:UnionDefaultGraph ;
    sd:resultFormat ${formats.join(", ")} ;
    sd:defaultDataset <${baseUrl}/sparql#dataset> .
  <${baseUrl}/sparql#dataset> a sd:Dataset, void:Dataset ;
    sd:defaultGraph <${baseUrl}/sparql#graph> ;
    foaf:homepage <${baseUrl}/> ;
    void:sparqlEndpoint <${baseUrl}/sparql> ;
    void:uriSpace "${baseUrl}/" ;
    void:vocabulary <${PREFIXES.crm}>, <${PREFIXES.lrmoo}> ;
    void:dataDump ${dumps.join(", ")} ;
    void:triples ?triples .
  <${baseUrl}/sparql#graph> a sd:Graph, void:Dataset ;
    void:triples ?triples .
} WHERE { { SELECT (COUNT(*) AS ?triples) WHERE { ?s ?p ?o } } }`;
}
