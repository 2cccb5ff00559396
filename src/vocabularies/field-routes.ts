/** Writes to /v1/schemas/{type}[/{field}]. */
import { z } from "zod";
import { type Api, accountOf, endpoint } from "../http/endpoint.ts";
import { below, ifMatch, writtenJson } from "../http/resource-answers.ts";
import {
  FieldDraftShape,
  FieldPatchShape,
  FieldReplacementShape,
  FieldShape,
  fieldJson,
} from "./field-shape.ts";
import { changeField, createField, removeField } from "./field-write.ts";
import { demandKind, TypeParams } from "./record-type.ts";
import { merged, PATCH_TYPES } from "./shape.ts";

const FieldParams = TypeParams.extend({ field: z.string().openapi({ example: "material" }) });
const access = { feature: "schemas:manage" };
const answer = { description: "The field", schema: FieldShape };

export function fieldRoutes(api: Api): void {
  const { services } = api;

  endpoint(api, {
    method: "post",
    path: "/v1/schemas/{type}",
    tag: "configuration",
    summary: "Add a field to a record type",
    description: "A public one needs records:read for that type, too.",
    access,
    params: TypeParams,
    body: { schema: FieldDraftShape },
    answers: { 201: answer },
    problems: [404, 409],
    async handle({ c, caller, params, body }) {
      const field = await createField(services, accountOf(caller), demandKind(params.type), body);
      return writtenJson(c, fieldJson(field), below(c, field.name));
    },
  });

  endpoint(api, {
    method: "put",
    path: "/v1/schemas/{type}/{field}",
    tag: "configuration",
    summary: "Replace the definition of a field",
    description:
      "The name never changes. 409 when records hold values that do not fit the new type, vocabulary or repeatability. " +
      "To make a private field public needs records:read for that type, too.",
    access,
    params: FieldParams,
    body: { schema: FieldReplacementShape },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, caller, params, body }) {
      const kind = demandKind(params.type);
      const field = await changeField(
        services,
        accountOf(caller),
        kind,
        params.field,
        ifMatch(c),
        () => body,
      );
      return writtenJson(c, fieldJson(field));
    },
  });

  endpoint(api, {
    method: "patch",
    path: "/v1/schemas/{type}/{field}",
    tag: "configuration",
    summary: "Change the definition of a field",
    description: "As for PUT, with what is left out as it was.",
    access,
    params: FieldParams,
    body: { schema: FieldPatchShape, types: PATCH_TYPES },
    answers: { 200: answer },
    problems: [404, 409, 412],
    async handle({ c, caller, params, body }) {
      const kind = demandKind(params.type);
      const field = await changeField(
        services,
        accountOf(caller),
        kind,
        params.field,
        ifMatch(c),
        (present) => merged(FieldReplacementShape, fieldJson(present), body),
      );
      return writtenJson(c, fieldJson(field));
    },
  });

  endpoint(api, {
    method: "delete",
    path: "/v1/schemas/{type}/{field}",
    tag: "configuration",
    summary: "Delete a field",
    description:
      "409 while records use it, also those in the trash; the title field of a record type always stays.",
    access,
    params: FieldParams,
    answers: { 204: { description: "Deleted" } },
    problems: [404, 409, 412],
    async handle({ c, caller, params }) {
      await removeField(services, accountOf(caller), demandKind(params.type), params.field, ifMatch(c));
      return c.body(null, 204);
    },
  });
}
