/** /v1/authorities: lets staff look up entries of authority files (contract §5.7, interface §5). */

import { z } from "zod";
import { cachedJson } from "../http/answer/caching.ts";
import { listOf, wholeList } from "../http/answer/list-envelope.ts";
import { preferredLanguages } from "../http/answer/negotiate.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { storable, wholeNumber } from "../http/text-shape.ts";
import { said } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import type { Services } from "../services.ts";
import { type Authority, type AuthoritySource, SOURCES, type SourceName, TYPES } from "./authority.ts";
import { geonames } from "./geonames.ts";
import { gnd } from "./gnd.ts";
import { responseCache } from "./response-cache.ts";
import { down, upstream } from "./upstream.ts";
import { wikidata } from "./wikidata.ts";

const NAMES: Record<SourceName, string> = {
  gnd: "The GND (lobid.org)",
  geonames: "GeoNames",
  wikidata: "Wikidata",
};
const TAG = "authorities";
const access = { feature: "authority:read" };

/** Seconds for which an answer is cached. */
const ENTRY_AGE = 86_400;
const SEARCH_AGE = 3_600;

const SourceParam = z.enum(SOURCES).openapi({ example: "gnd" });
const AuthorityShape = z
  .object({
    source: z.enum(SOURCES),
    id: z.string().openapi({ example: "118540238" }),
    uri: z.string().openapi({
      description: "The address that stands for the thing itself",
      example: "https://d-nb.info/gnd/118540238",
    }),
    label: z.string().openapi({ description: "The preferred name", example: "Goethe, Johann Wolfgang von" }),
    description: z.string().nullable(),
    type: z.enum(TYPES).nullable().openapi({ description: "null: the source does not say" }),
    alternate_labels: z.array(z.string()),
  })
  .openapi("Authority");

const Params = z.object({ source: SourceParam });
const Query = z.strictObject({
  q: storable(z.string().trim().min(1).max(200)),
  limit: wholeNumber(1, 50).default(10),
});

const LANGUAGES = "Names are in the first language of `Accept-Language` as far as the source has them.";

export function authorityRoutes(api: Api): void {
  const { services } = api;
  const sources = sourcesOf(services);
  const entries = responseCache<Authority>();
  const searches = responseCache<ReturnType<typeof wholeList<Authority>>>();

  endpoint(api, {
    method: "get",
    path: "/v1/authorities/{source}",
    tag: TAG,
    summary: "Search an authority file",
    description: `${LANGUAGES} Answers are cached for an hour. 502 when the source is down.`,
    access,
    params: Params,
    query: Query,
    answers: {
      200: {
        description: "What the source found, best first",
        schema: listOf(AuthorityShape).openapi("AuthorityList"),
      },
      304: { description: "Unchanged" },
    },
    problems: [502],
    async handle({ c, caller, params: { source }, query: { q, limit } }) {
      const lang = languageOf(c.req.header("Accept-Language"));
      const key = [source, lang, limit, q].join("\n");
      const { answer, etag } = await searches(key, SEARCH_AGE, () =>
        readable(services, source, async () => wholeList(await sources[source].search({ q, limit, lang }))),
      );
      return cachedJson(c, caller, answer, etag);
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/authorities/{source}/{id}",
    tag: TAG,
    summary: "Read an entry of an authority file",
    description: `${LANGUAGES} An entry that was merged into another is answered with that one. Answers are cached for a day. 502 when the source is down.`,
    access,
    params: Params.extend({ id: z.string().openapi({ example: "118540238" }) }),
    answers: {
      200: { description: "The entry", schema: AuthorityShape },
      304: { description: "Unchanged" },
    },
    problems: [404, 502],
    async handle({ c, caller, params: { source, id } }) {
      const { form, example } = sources[source];
      if (!form.test(id)) {
        throw invalid([{ pointer: "path:id", detail: said("fault.authority.id", { example }) }]);
      }
      const lang = languageOf(c.req.header("Accept-Language"));
      const { answer, etag } = await entries([source, lang, id].join("\n"), ENTRY_AGE, () =>
        readable(services, source, async () => {
          const found = await sources[source].find(id, lang);
          // thrown, so that it is not cached: the entry may be created soon
          if (!found)
            throw new Problem("not_found", said("problem.source.no_entry", { source: NAMES[source], id }));
          return found;
        }),
      );
      return cachedJson(c, caller, answer, etag);
    },
  });
}

function sourcesOf({ config, log }: Services): Record<SourceName, AuthoritySource> {
  const { authorities, wikidataUserAgent: userAgent } = config;
  const ask = (source: SourceName, url: string) => upstream({ name: NAMES[source], url, userAgent, log });
  return {
    gnd: gnd(ask("gnd", authorities.gndUrl)),
    geonames: geonames(ask("geonames", authorities.geonamesUrl), authorities.geonamesUsername),
    wikidata: wikidata(ask("wikidata", authorities.wikidataUrl)),
  };
}

/** An answer with an unexpected form is the source's failure (502), not a bug. */
function readable<T>({ log }: Services, source: SourceName, request: () => Promise<T>): Promise<T> {
  return request().catch((error) => {
    throw down({ name: NAMES[source], log }, error);
  });
}

/** The first language, without its region. */
function languageOf(header: string | undefined): string {
  for (const tag of preferredLanguages(header)) {
    const language = tag.split("-")[0]?.toLowerCase() ?? "";
    if (/^[a-z]{2,3}$/.test(language)) return language;
  }
  return "en";
}
