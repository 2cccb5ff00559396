/** Roles as administrators write and read them. */
import { z } from "zod";
import { listOf } from "../http/answer/list-envelope.ts";
import { said, toldText } from "../messages/said.ts";
import { KINDS } from "../records/kinds.ts";
import { LabelsShape, NameShape, patchShape, SortOrderShape, writtenShapes } from "../vocabularies/shape.ts";
import { ACTIONS, FEATURES, ordered } from "./permissions.ts";
import type { RoleRow } from "./role-store.ts";

const PermissionsShape = z
  .strictObject({
    records: z.partialRecord(z.enum(KINDS), z.array(z.enum(ACTIONS)).max(ACTIONS.length)).openapi({
      description: "The permitted actions by record type; nothing for a type that is left out",
      example: { object: ["read", "create", "update"], entity: ["read"] },
    }),
    features: z
      .array(z.enum(FEATURES))
      .max(FEATURES.length)
      .openapi({ example: ["media:write"] }),
  })
  .superRefine(({ records }, context) => {
    for (const [kind, actions = []] of Object.entries(records)) {
      if (actions.length === 0 || actions.includes("read")) continue;
      const message = toldText(said("fault.permissions.read_missing"));
      context.addIssue({ code: "custom", path: ["records", kind], message });
    }
  })
  .openapi("Permissions");

const role = { label: LabelsShape, sort_order: SortOrderShape, permissions: PermissionsShape };

export const RoleShape = z.object({ name: NameShape, ...role }).openapi("Role");
export const RoleListShape = listOf(RoleShape).openapi("RoleList");

const writable = { ...role, sort_order: SortOrderShape.default(100) };
export const { draft: RoleDraftShape, replacement: RoleReplacementShape } = writtenShapes("Role", writable);
export const RolePatchShape = patchShape("RolePatch", "a role");

export type RoleDraft = z.output<typeof RoleDraftShape>;
export type RoleReplacement = z.output<typeof RoleReplacementShape>;

export function roleJson(row: RoleRow): RoleRow {
  return {
    name: row.name,
    label: row.label,
    sort_order: row.sort_order,
    permissions: ordered(row.permissions),
  };
}
