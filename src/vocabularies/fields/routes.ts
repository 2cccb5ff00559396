/** /v1/schemas/{type}/{field}: the fields of a record type. Their list is part of its schema. */
import { z } from "zod";
import { type Api, accountOf } from "../../http/endpoint.ts";
import { currentSchema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import { CONFIGURATION, configurationResource } from "../configuration-resource.ts";
import { demandKind, demandReadable, TypeParams } from "../record-type.ts";
import { FieldDraftShape, FieldPatchShape, FieldReplacementShape, FieldShape, fieldJson } from "./shape.ts";
import { changeField, createField, noField, removeField } from "./write.ts";

export function fieldRoutes(api: Api): void {
  const { services } = api;
  const fields = configurationResource(api, {
    ...CONFIGURATION,
    list: { path: "/v1/schemas/{type}", params: TypeParams },
    one: {
      path: "/v1/schemas/{type}/{field}",
      params: TypeParams.extend({ field: z.string().openapi({ example: "material" }) }),
    },
    answer: { description: "The field", schema: FieldShape },
    json: fieldJson,
  });

  fields.get({
    summary: "Read a field",
    async find({ caller, params }) {
      const kind = demandReadable(caller, params.type);
      const all = visibleFields(await currentSchema(services.sql), caller, kind);
      const field = all.find(({ name }) => name === params.field);
      if (!field) throw noField(kind, params.field);
      return field;
    },
  });

  fields.create({
    summary: "Add a field to a record type",
    description:
      "A public field also needs records:read for that type. 422 for the name of a built-in column, such as idno or object_type.",
    body: FieldDraftShape,
    problems: [404, 409],
    name: ({ name }) => name,
    create: ({ caller, params, body }) =>
      createField(services, accountOf(caller), demandKind(params.type), body),
  });

  fields.change({
    put: {
      summary: "Replace the definition of a field",
      description:
        "The name cannot be changed. 409 if records have values that do not fit the new type, vocabulary or repeatability. " +
        "Making a private field public also needs records:read for that type.",
    },
    patch: {
      summary: "Change the definition of a field",
      description: "As for PUT; members that are left out do not change.",
    },
    body: FieldReplacementShape,
    patchBody: FieldPatchShape,
    change: ({ caller, params }, expected, edit) =>
      changeField(services, accountOf(caller), demandKind(params.type), params.field, expected, edit),
  });

  fields.remove({
    summary: "Delete a field",
    description:
      "409 if records use it, including those in the trash. The title field of a record type cannot be deleted.",
    remove: ({ caller, params }, expected) =>
      removeField(services, accountOf(caller), demandKind(params.type), params.field, expected),
  });
}
