/** The permissions that exist, and comparing those of two roles. */
import type { Permissions, RecordAction } from "../caller.ts";
import { KINDS } from "../records/kinds.ts";

export const ACTIONS = [
  "read",
  "create",
  "update",
  "delete",
  "publish",
] as const satisfies readonly RecordAction[];

/** Interface §5. */
export const FEATURES = [
  "media:write",
  "schemas:manage",
  "users:manage",
  "settings:manage",
  "search:reindex",
  "rdf:rebuild",
  "authority:read",
  "sparql:query",
  "jobs:read",
  "metrics:read",
  "import:run",
  "backup:run",
] as const;

/** The name of each permission: `records:publish for object`, `users:manage`. */
export function permissionNames({ records, features }: Permissions): string[] {
  const ofRecords = Object.entries(records).flatMap(([kind, actions = []]) =>
    actions.map((action) => `records:${action} for ${kind}`),
  );
  return [...ofRecords, ...features];
}

/** The names of the permissions in `theirs` that `mine` lacks. */
export function permissionsBeyond(mine: Permissions, theirs: Permissions): string[] {
  const own = new Set(permissionNames(mine));
  return permissionNames(theirs).filter((name) => !own.has(name));
}

/** The permissions that are in both. */
export function shared(one: Permissions, other: Permissions): Permissions {
  const records: Permissions["records"] = {};
  for (const [kind, actions = []] of Object.entries(one.records)) {
    records[kind] = actions.filter((action) => other.records[kind]?.includes(action));
  }
  return { records, features: one.features.filter((feature) => other.features.includes(feature)) };
}

/** Each permission once and in a fixed order, without record types that permit nothing. */
export function ordered({ records, features }: Permissions): Permissions {
  const kinds = KINDS.map((kind) => [kind, ACTIONS.filter((action) => records[kind]?.includes(action))]);
  const known = FEATURES.filter((feature) => features.includes(feature));
  return {
    records: Object.fromEntries(kinds.filter(([, actions]) => actions!.length > 0)),
    features: known,
  };
}
