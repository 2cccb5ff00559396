/** /v1/vocabularies/{name}/terms. */
import type { Api } from "../../http/endpoint.ts";
import { IdShape } from "../../records/shape.ts";
import { CONFIGURATION, configurationResource } from "../configuration-resource.ts";
import { termDuplicateRoutes, termMergeRoutes } from "../merge/routes.ts";
import { countTerms, listTerms } from "./store.ts";
import {
  TermDraftShape,
  TermListShape,
  TermPatchShape,
  TermQuery,
  TermShape,
  termJson,
  VocabularyParams,
} from "./vocabulary-shape.ts";
import { demandVisibleVocabulary } from "./vocabulary-write.ts";
import { changeTerm, createTerm, demandTerm, removeTerm } from "./write.ts";

export function termRoutes(api: Api): void {
  const { services } = api;
  const { sql } = services;
  const terms = configurationResource(api, {
    ...CONFIGURATION,
    list: { path: "/v1/vocabularies/{name}/terms", params: VocabularyParams },
    one: { path: "/v1/vocabularies/{name}/terms/{id}", params: VocabularyParams.extend({ id: IdShape }) },
    answer: { description: "The term", schema: TermShape },
    json: termJson,
  });

  terms.pages({
    summary: "List the terms of a vocabulary",
    description: "Link headers (RFC 8288) give first, prev, next and last.",
    query: TermQuery,
    schema: TermListShape,
    problems: [404],
    async find({ caller, params, query }, page) {
      await demandVisibleVocabulary(sql, caller, params.name);
      const total = await countTerms(sql, params.name, query);
      return { total, rows: await listTerms(sql, params.name, query, page) };
    },
  });

  termDuplicateRoutes(api);
  terms.get({
    summary: "Read a term",
    async find({ caller, params }) {
      await demandVisibleVocabulary(sql, caller, params.name);
      return demandTerm(sql, params.name, params.id);
    },
  });

  terms.create({
    summary: "Add a term",
    body: TermDraftShape,
    problems: [404, 409],
    name: ({ id }) => id,
    create: ({ params, body }) => createTerm(services, params.name, body),
  });

  terms.change({
    put: {
      summary: "Replace a term",
      description: "409 if the value would change while records have it in a vocab field.",
    },
    patch: { summary: "Change a term", description: "As for PUT; members that are left out do not change." },
    body: TermDraftShape,
    patchBody: TermPatchShape,
    change: ({ params }, expected, edit) => changeTerm(services, params.name, params.id, expected, edit),
  });

  terms.remove({
    summary: "Delete a term",
    description: "Terms below it move up to the term above it. 409 if records have it in a vocab field.",
    remove: ({ params }, expected) => removeTerm(services, params.name, params.id, expected),
  });
  termMergeRoutes(api);
}
