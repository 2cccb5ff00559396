/** Variables of search, rate limits and cache: a part of the table in `variables.ts`. */
import * as kinds from "./value-kinds.ts";
import { fixed, optional, secret } from "./variable.ts";

/** Languages with a stemmer (`search/stems.ts`). */
const STEMMED_LANGUAGES = [
  ...["ar", "bg", "da", "de", "el", "en", "es", "fi", "fr", "ga"],
  ...["hu", "it", "lt", "nl", "no", "pt", "ro", "ru", "sv", "tr"],
] as const;

export const searchAndCache = {
  SEARCH_LANGUAGES: fixed(
    kinds.someOf(...STEMMED_LANGUAGES, "none"),
    "en,de,fr,it,es,nl",
    "Languages whose words are also found in other forms (`chairs` finds `chair`). `none`: words as written. After a change, run `svc-manage reindex`.",
  ),
  SEARCH_IN_MEMORY: fixed(
    kinds.boolean,
    "true",
    "Each process keeps parts of the search index in memory: up to 130 MB, and 30 MB for each million records. false: each search reads what it needs, up to a hundred times more slowly.",
  ),
  TYPESENSE_URL: optional(kinds.url, "An external Typesense search engine.", "search tables in the database"),
  TYPESENSE_API_KEY: secret(optional(kinds.word, "Key for `TYPESENSE_URL`.")),
  UPSTASH_REDIS_REST_URL: optional(
    kinds.url,
    "An external Redis over REST, in which several instances count attempts to sign in together.",
    "in the process",
  ),
  UPSTASH_REDIS_REST_TOKEN: secret(optional(kinds.word, "Token for `UPSTASH_REDIS_REST_URL`.")),
};
