/** /v1/vocabularies: controlled lists that fields offer or hold their values to, as open as those fields. */
import { z } from "zod";
import { cachedJson, contentTag } from "../http/caching.ts";
import { type Api, endpoint } from "../http/endpoint.ts";
import { wholeList } from "../http/list-envelope.ts";
import { below, ifMatch, oneJson, writtenJson } from "../http/resource-answers.ts";
import { currentSchema } from "../records/schema.ts";
import { maySeeVocabulary } from "../records/visibility.ts";
import { merged, PATCH_TYPES } from "./shape.ts";
import { termRoutes } from "./term-routes.ts";
import {
  VocabularyDraftShape,
  VocabularyListShape,
  VocabularyPatchShape,
  VocabularyReplacementShape,
  VocabularyShape,
  vocabularyJson,
} from "./vocabulary-shape.ts";
import { listVocabularies } from "./vocabulary-store.ts";
import {
  changeVocabulary,
  createVocabulary,
  demandVisibleVocabulary,
  removeVocabulary,
} from "./vocabulary-write.ts";

const NameParams = z.object({ name: z.string().openapi({ example: "material" }) });
const access = { feature: "schemas:manage" };
const answer = { description: "The vocabulary", schema: VocabularyShape };

export function vocabularyRoutes(api: Api): void {
  readRoutes(api);
  writeRoutes(api);
  termRoutes(api);
}

function readRoutes(api: Api): void {
  const { sql } = api.services;

  endpoint(api, {
    method: "get",
    path: "/v1/vocabularies",
    tag: "configuration",
    summary: "List the vocabularies",
    access: "public",
    description: "All but those that only fields use which the caller does not see.",
    answers: {
      200: { description: "The vocabularies", schema: VocabularyListShape },
      304: { description: "Unchanged" },
    },
    async handle({ c, caller }) {
      const schema = await currentSchema(sql);
      const all = await listVocabularies(sql);
      const items = all.filter(({ name }) => maySeeVocabulary(schema, caller, name)).map(vocabularyJson);
      return cachedJson(c, caller, wholeList(items), await contentTag(items));
    },
  });

  endpoint(api, {
    method: "get",
    path: "/v1/vocabularies/{name}",
    tag: "configuration",
    summary: "Read a vocabulary",
    access: "public",
    params: NameParams,
    answers: { 200: answer, 304: { description: "Unchanged" } },
    problems: [404],
    handle: async ({ c, caller, params }) =>
      oneJson(c, caller, vocabularyJson(await demandVisibleVocabulary(sql, caller, params.name))),
  });
}

function writeRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/vocabularies",
    tag: "configuration",
    summary: "Create a vocabulary",
    access,
    body: { schema: VocabularyDraftShape },
    answers: { 201: answer },
    problems: [409],
    async handle({ c, body }) {
      const vocabulary = await createVocabulary(services, body);
      return writtenJson(c, vocabularyJson(vocabulary), below(c, vocabulary.name));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/vocabularies/{name}",
    tag: "configuration",
    summary: "Replace what is said about a vocabulary",
    description: "Its name never changes, its terms stay.",
    access,
    params: NameParams,
    body: { schema: VocabularyReplacementShape },
    answers: { 200: answer },
    problems: [404, 412],
    async handle({ c, params, body }) {
      return writtenJson(
        c,
        vocabularyJson(await changeVocabulary(services, params.name, ifMatch(c), () => body)),
      );
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/vocabularies/{name}",
    tag: "configuration",
    summary: "Change what is said about a vocabulary",
    access,
    params: NameParams,
    body: { schema: VocabularyPatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 412],
    async handle({ c, params, body }) {
      const vocabulary = await changeVocabulary(services, params.name, ifMatch(c), (present) =>
        merged(VocabularyReplacementShape, vocabularyJson(present), body),
      );
      return writtenJson(c, vocabularyJson(vocabulary));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/vocabularies/{name}",
    tag: "configuration",
    summary: "Delete a vocabulary with its terms",
    description: "409 while a field uses it.",
    access,
    params: NameParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, params }) {
      await removeVocabulary(services, params.name, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
