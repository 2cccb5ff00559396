/** The caller of a request, and their permissions. */
import { type Said, said } from "./messages/said.ts";
import type { MessageKey } from "./messages/translate.ts";
import { Problem } from "./problem.ts";

export type RecordAction = "read" | "create" | "update" | "delete" | "publish";

export type Permissions = {
  /** Record type → actions. */
  records: Partial<Record<string, readonly RecordAction[]>>;
  features: readonly string[];
};

export type Visitor = { kind: "visitor" };
export type Account = {
  kind: "account";
  id: string;
  email: string;
  displayName: string;
  role: string;
  permissions: Permissions;
  mustChangePassword: boolean;
  /** The session of the request's access token. */
  sessionId?: string;
  /** The API key with which a program acts for the account. It limits `permissions`. */
  keyId?: string;
};
export type Caller = Visitor | Account;

/** The session of a user of the pages. `csrf`: the token that forms must contain (`page-session.ts`). */
export type PageSession = { id: string; csrf: string };

export const VISITOR: Visitor = { kind: "visitor" };

/** The program itself: the command line and the workers, which have access to the database anyway. */
export const OPERATOR: Account = {
  kind: "account",
  id: "00000000-0000-0000-0000-000000000000",
  email: "svc-manage",
  displayName: "svc-manage",
  role: "superuser",
  permissions: {
    records: Object.fromEntries(
      ["object", "entity", "place", "occurrence", "procedure", "collection", "storage_location"].map(
        (kind) => [kind, ["read", "create", "update", "delete", "publish"] as const],
      ),
    ),
    features: ["schemas:manage", "import:run"],
  },
  mustChangePassword: false,
};

export function mayDo(caller: Caller, action: RecordAction, kind: string): boolean {
  return caller.kind === "account" && (caller.permissions.records[kind]?.includes(action) ?? false);
}

export function mayUse(caller: Caller, feature: string): boolean {
  return caller.kind === "account" && caller.permissions.features.includes(feature);
}

/** The account id for the history; null for the program itself and visitors. */
export function actorId(caller: Caller): string | null {
  return caller.kind === "account" && caller !== OPERATOR ? caller.id : null;
}

/** That the account lacks a permission: why it may not do something, or why a record is not written. */
export const lacks = ({ keyId, role }: Account, permission: string | Said): Said =>
  keyId === undefined
    ? said("problem.forbidden.role", { role, permission })
    : said("problem.forbidden.key", { permission });

/** `records:publish for object`. */
export const permissionTo = (action: RecordAction, kind: string): Said =>
  said("permission.for", { permission: `records:${action}`, kind: said(`kind.one.${kind}` as MessageKey) });

/** 401 for a visitor, 403 for an account that lacks the permission. */
export function refuse(caller: Caller, permission: string | Said): Problem {
  return caller.kind === "visitor"
    ? new Problem("unauthenticated", said("problem.credentials.required", { permission }), {
        headers: { "WWW-Authenticate": "Bearer" },
      })
    : new Problem("forbidden", lacks(caller, permission));
}

export function demandAction(caller: Caller, action: RecordAction, kind: string): void {
  if (!mayDo(caller, action, kind)) throw refuse(caller, permissionTo(action, kind));
}
