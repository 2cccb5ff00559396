/** The caller of a request, and their permissions. */
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

/** Who has the permissions, for a sentence. */
export function holder({ keyId, role }: Account): string {
  return keyId === undefined ? `the role “${role}”` : "the API key";
}

/** Why a record is not written, as a sentence without a capital letter. */
export function lacks(caller: Account, action: RecordAction): string {
  return `${holder(caller)} lacks the permission records:${action}`;
}

/** 401 for a visitor, 403 for an account that lacks the permission. */
export function refuse(caller: Caller, wanted: string): Problem {
  if (caller.kind === "visitor") {
    return new Problem("unauthenticated", `This needs credentials: ${wanted}`, {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const who = holder(caller).replace("the", "The");
  return new Problem("forbidden", `${who} lacks the permission ${wanted}`);
}

export function demandAction(caller: Caller, action: RecordAction, kind: string): void {
  if (!mayDo(caller, action, kind)) throw refuse(caller, `records:${action} for ${kind}`);
}
