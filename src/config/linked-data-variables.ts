/** Variables of persistent identifiers and of the triple store: a part of the table in `variables.ts`. */
import { said } from "../messages/said.ts";
import * as kinds from "./value-kinds.ts";
import { filled, fixed, optional, secret } from "./variable.ts";

/** Digits, and letters that are not mistaken for each other; newer numbers have such letters. */
const NAAN = kinds.matching(/^[0-9bcdfghjkmnpqrstvwxz]{5,12}$/, said("setting.expected.naan"));

export const ark = {
  ARK_ENABLED: fixed(
    kinds.boolean,
    "false",
    "Gives records an ARK when they become public. Existing ARKs always resolve.",
  ),
  ARK_NAAN: optional(
    NAAN,
    "Your number (NAAN) from the ARK Alliance; 99999 is for tests and is not resolved.",
  ),
  ARK_RESOLVER_URL: filled(
    kinds.url,
    "{SVC_BASE_URL}",
    "Address at which ARKs are written out in exports and on pages: `{ARK_RESOLVER_URL}/ark:/12345/x54xz321`, for example `https://n2t.net`.",
  ),
  ARK_SUFFIX_LENGTH: fixed(
    kinds.integer(4, 64),
    "8",
    "Length of new names, including the check character. 4 characters give 24,389 names; each further one multiplies that by 29.",
  ),
};

export const linkedData = {
  TRIPLESTORE_ENABLED: fixed(kinds.boolean, "false", "Keeps public records in a triple store."),
  TRIPLESTORE_URL: optional(
    kinds.url,
    "An external SPARQL 1.1 store such as Oxigraph, usually at port 7878, with `/query` and `/update` below this address.",
    "the embedded store",
  ),
  TRIPLESTORE_UPDATE_URL: optional(
    kinds.url,
    "Where updates go. If it is set, queries go to `TRIPLESTORE_URL` itself. For stores such as QLever, GraphDB and RDF4J.",
    "`{TRIPLESTORE_URL}/update`",
  ),
  TRIPLESTORE_TOKEN: secret(
    optional(kinds.word, "Sent with updates, as a bearer token (RFC 6750): the access token of QLever."),
  ),
  SPARQL_ENDPOINT_ENABLED: fixed(kinds.boolean, "true", "Serves /sparql, when the triple store is enabled."),
  SPARQL_REQUIRE_AUTH: fixed(kinds.boolean, "true", "false lets anybody read /sparql."),
  SPARQL_QUERY_TIMEOUT: fixed(kinds.number(0.1, 3600), "30.0", "Longest time of a query in seconds."),
  SPARQL_MAX_QUERY_LENGTH: fixed(
    kinds.bytes,
    "65536",
    "Longest query in bytes. By GET, the address and the headers have a limit of their own, 16 KB on Node and Bun.",
  ),
};
