/** /v1/vocabularies/{name}/terms. */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { below, ifMatch, oneJson, pageLinks, writtenJson } from "../http/resource-answers.ts";
import { IdShape } from "../records/shape.ts";
import { merged, PATCH_TYPES } from "./shape.ts";
import { countTerms, listTerms } from "./term-store.ts";
import { changeTerm, createTerm, demandTerm, removeTerm } from "./term-write.ts";
import {
  TermDraftShape,
  TermListShape,
  TermPatchShape,
  TermQuery,
  TermShape,
  termJson,
} from "./vocabulary-shape.ts";
import { demandVisibleVocabulary } from "./vocabulary-write.ts";

const NameParams = z.object({ name: z.string().openapi({ example: "material" }) });
const TermParams = NameParams.extend({ id: IdShape });
const access = { feature: "schemas:manage" };
const answer = { description: "The term", schema: TermShape };

export function termRoutes(api: Api): void {
  readRoutes(api);
  writeRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/vocabularies/{name}/terms",
    tag: "configuration",
    summary: "List the terms of a vocabulary",
    description: "Link headers (RFC 8288) give first, prev, next and last.",
    access: "public",
    params: NameParams,
    query: TermQuery,
    answers: { 200: { description: "A page", schema: TermListShape }, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c, caller, params, query }) {
      await demandVisibleVocabulary(sql, caller, params.name);
      const { page, page_size, ...filter } = query;
      const total = await countTerms(sql, params.name, filter);
      const rows = await listTerms(sql, params.name, filter, {
        limit: page_size,
        offset: (page - 1) * page_size,
      });
      const body = { total, page, page_size, items: rows.map(termJson) };
      const link = pageLinks(c, body);
      return cachedJson(c, caller, body, await contentTag([body, link]), { link });
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/vocabularies/{name}/terms/{id}",
    tag: "configuration",
    summary: "Read a term",
    access: "public",
    params: TermParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    async handle({ c, caller, params }) {
      await demandVisibleVocabulary(sql, caller, params.name);
      return oneJson(c, caller, termJson(await demandTerm(sql, params.name, params.id)));
    },
  });
}

function writeRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/vocabularies/{name}/terms",
    tag: "configuration",
    summary: "Add a term",
    access,
    params: NameParams,
    body: { schema: TermDraftShape },
    answers: { 201: answer },
    problems: [404, 409],
    async handle({ c, params, body }) {
      const term = await createTerm(services, params.name, body);
      return writtenJson(c, termJson(term), below(c, term.id));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/vocabularies/{name}/terms/{id}",
    tag: "configuration",
    summary: "Replace a term",
    description: "409 when the value would change while records of a vocab field hold it.",
    access,
    params: TermParams,
    body: { schema: TermDraftShape },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      return writtenJson(
        c,
        termJson(await changeTerm(services, params.name, params.id, ifMatch(c), () => body)),
      );
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/vocabularies/{name}/terms/{id}",
    tag: "configuration",
    summary: "Change a term",
    description: "As for PUT, with what is left out as it was.",
    access,
    params: TermParams,
    body: { schema: TermPatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, params, body }) {
      const term = await changeTerm(services, params.name, params.id, ifMatch(c), (present) =>
        merged(TermDraftShape, termJson(present), body),
      );
      return writtenJson(c, termJson(term));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/vocabularies/{name}/terms/{id}",
    tag: "configuration",
    summary: "Delete a term",
    description: "Terms below it move up to the one above it. 409 while records of a vocab field hold it.",
    access,
    params: TermParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeTerm(services, params.name, params.id, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
