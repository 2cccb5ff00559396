/** /v1/vocabularies: controlled lists that fields offer or hold their values to, as open as those fields. */
import type { Api } from "../../http/endpoint.ts";
import { currentSchema } from "../../records/schema.ts";
import { maySeeVocabulary } from "../../records/visibility.ts";
import { CONFIGURATION, configurationResource, NoParams } from "../configuration-resource.ts";
import { termRoutes } from "./routes.ts";
import { skosRoutes } from "./skos-routes.ts";
import {
  VocabularyDraftShape,
  VocabularyListShape,
  VocabularyParams,
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

export function vocabularyRoutes(api: Api): void {
  const { services } = api;
  const { sql } = services;
  const vocabularies = configurationResource(api, {
    ...CONFIGURATION,
    list: { path: "/v1/vocabularies", params: NoParams },
    one: { path: "/v1/vocabularies/{name}", params: VocabularyParams },
    answer: { description: "The vocabulary", schema: VocabularyShape },
    json: vocabularyJson,
  });

  vocabularies.list({
    summary: "List the vocabularies",
    description: "Without vocabularies that are only used by fields that the caller may not see.",
    answer: { description: "The vocabularies", schema: VocabularyListShape },
    async find({ caller }) {
      const schema = await currentSchema(sql);
      return (await listVocabularies(sql)).filter(({ name }) => maySeeVocabulary(schema, caller, name));
    },
  });

  vocabularies.get({
    summary: "Read a vocabulary",
    find: ({ caller, params }) => demandVisibleVocabulary(sql, caller, params.name),
  });

  vocabularies.create({
    summary: "Create a vocabulary",
    body: VocabularyDraftShape,
    problems: [409],
    name: ({ name }) => name,
    create: ({ body }) => createVocabulary(services, body),
  });

  vocabularies.change({
    put: {
      summary: "Replace the description of a vocabulary",
      description: "Its name and its terms do not change.",
      problems: [404, 412],
    },
    patch: { summary: "Change the description of a vocabulary", problems: [404, 412] },
    body: VocabularyReplacementShape,
    patchBody: VocabularyPatchShape,
    change: ({ params }, expected, edit) => changeVocabulary(services, params.name, expected, edit),
  });

  vocabularies.remove({
    summary: "Delete a vocabulary with its terms",
    description: "409 if a field uses it.",
    remove: ({ params }, expected) => removeVocabulary(services, params.name, expected),
  });

  termRoutes(api);
  skosRoutes(api);
}
