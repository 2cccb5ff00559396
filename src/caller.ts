/** Who is asking, and what they may do. */
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
  /** The session of the access token that came with the request. */
  sessionId?: string;
  /** The API key with which a program acts for the account; `permissions` are what that key leaves. */
  keyId?: string;
};
export type Caller = Visitor | Account;

/** By whose cookie a caller of the pages is known. `csrf`: what their forms must carry (`page-session.ts`). */
export type PageSession = { id: string; csrf: string };

export const VISITOR: Visitor = { kind: "visitor" };

/** The program itself: the command line and the workers, which stand beside the database anyway. */
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

/** Whose permissions they are, within a sentence. */
export function holder({ keyId, role }: Account): string {
  return keyId === undefined ? `the role ${role}` : "the API key";
}

/** 401 for a visitor, 403 for somebody known who lacks the permission. */
export function refuse(caller: Caller, wanted: string): Problem {
  if (caller.kind === "visitor") {
    return new Problem("unauthenticated", `This needs credentials: ${wanted}`, {
      headers: { "WWW-Authenticate": "Bearer" },
    });
  }
  const who = holder(caller).replace("the", "The");
  return new Problem("forbidden", `${who} does not have the permission ${wanted}`);
}

export function demandAction(caller: Caller, action: RecordAction, kind: string): void {
  if (!mayDo(caller, action, kind)) throw refuse(caller, `records:${action} for ${kind}`);
}
