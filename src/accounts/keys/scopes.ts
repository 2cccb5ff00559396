/** The permissions of an API key, and their effect for its owner (interface §5). */
import type { Permissions, RecordAction } from "../../caller.ts";

/** Permissions on records of all types. Every other word is the name of a feature, for example `media:write`. */
const RECORD_SCOPES: Readonly<Record<string, readonly RecordAction[]>> = {
  "records:read": ["read"],
  "records:write": ["create", "update"],
  "records:publish": ["publish"],
  "records:delete": ["delete"],
};

/**
 * The owner's permissions, limited to these words. They are computed at every use, so that a key loses what its owner loses.
 * `records:write` grants what the owner may write of each record type.
 */
export function withinScopes(owner: Permissions, scopes: readonly string[]): Permissions {
  const actions = new Set(scopes.flatMap((scope) => recordActions(scope)));
  const records = Object.entries(owner.records).map(([kind, allowed]): [string, RecordAction[]] => [
    kind,
    (allowed ?? []).filter((action) => actions.has(action)),
  ]);
  return {
    records: Object.fromEntries(records.filter(([, allowed]) => allowed.length > 0)),
    features: owner.features.filter((feature) => scopes.includes(feature)),
  };
}

/** Every word that these permissions cover at least in part, which are the choices for a key of the account. */
export function scopesOf({ records, features }: Permissions): string[] {
  const held = new Set(Object.values(records).flatMap((actions) => actions ?? []));
  const words = Object.keys(RECORD_SCOPES).filter((scope) =>
    recordActions(scope).some((action) => held.has(action)),
  );
  return [...words, ...features];
}

export function covers(mine: Permissions, theirs: Permissions): boolean {
  const records = Object.entries(theirs.records).every(([kind, actions = []]) =>
    actions.every((action) => mine.records[kind]?.includes(action)),
  );
  return records && theirs.features.every((feature) => mine.features.includes(feature));
}

/** Empty for the name of a feature. */
export function recordActions(scope: string): readonly RecordAction[] {
  return Object.hasOwn(RECORD_SCOPES, scope) ? RECORD_SCOPES[scope]! : [];
}
