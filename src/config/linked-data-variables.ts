/** Variables of persistent identifiers and of the triple store: a part of the table in `variables.ts`. */
import * as kinds from "./value-kinds.ts";
import { derived, fixed, optional } from "./variable.ts";

const NAAN = kinds.matching(/^\d{5,12}$/, "a name-assigning authority number of five or more digits");

export const ark = {
  ARK_ENABLED: fixed(kinds.boolean, "false", "Mints new ARKs; those already minted resolve in any case."),
  ARK_NAAN: optional(
    NAAN,
    "Registered name-assigning authority number; 99999 is for tests and is not resolved.",
  ),
  ARK_RESOLVER_URL: derived(kinds.url, "`{base_url}`", "Resolver with which ARKs are written out."),
  ARK_SUFFIX_LENGTH: fixed(kinds.integer(4, 64), "8", "Characters of a newly minted name."),
};

export const linkedData = {
  TRIPLESTORE_ENABLED: fixed(kinds.boolean, "false", "Projects public records into the triple store."),
  TRIPLESTORE_URL: derived(
    kinds.url,
    "the embedded store",
    "An external SPARQL 1.1 store such as Oxigraph, usually at port 7878.",
  ),
  SPARQL_ENDPOINT_ENABLED: fixed(kinds.boolean, "true", "Serves /sparql, when the triple store is enabled."),
  SPARQL_REQUIRE_AUTH: fixed(kinds.boolean, "true", "false lets anybody read /sparql."),
  SPARQL_QUERY_TIMEOUT: fixed(kinds.number(0.1, 3600), "30.0", "Longest time of a query in seconds."),
  SPARQL_MAX_QUERY_LENGTH: fixed(kinds.bytes, "65536", "Longest query in bytes."),
};
