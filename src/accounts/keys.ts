/** Making, changing and revoking API keys. */
import { newId } from "../ids.ts";
import { type Fault, invalid, Problem } from "../problem.ts";
import type { Services, Tx } from "../services.ts";
import { type Account, mayUse, refuse } from "./caller.ts";
import { covers, scopesOf, withinScopes } from "./key-scopes.ts";
import { deleteKey, findKey, insertKey, type StoredKey, updateKey } from "./key-store.ts";
import { randomSecret, secretHash } from "./secrets.ts";
import { recordSecurityEvent, type SecurityEvent } from "./security-events.ts";
import { findAccountById, type StoredAccount } from "./store.ts";

const MOST_KEYS = 100;
/** Letters and digits, of which 32 can be told from a byte without one being likelier. */
const LETTERS = "0123456789abcdefghijkmnpqrstvwxy";

type Given = Pick<Services, "sql">;

/** What people say of a key. `expires_at` null: never. */
export type KeyDraft = { name: string; permissions: string[]; expires_at: string | null };

/** Who asks, and from which address. */
export type Asking = { caller: Account; client: string };

/** The account whose keys these are: oneself, or with `users:manage` anybody. */
export async function ownerOfKeys(
  { sql }: Given,
  caller: Account,
  accountId: string,
): Promise<StoredAccount> {
  if (caller.id !== accountId && !mayUse(caller, "users:manage")) throw refuse(caller, "users:manage");
  const owner = await findAccountById(sql, accountId);
  if (!owner) throw new Problem("not_found", "There is no account with this id");
  return owner;
}

/** `key` is the key itself: it is shown here and never again. */
export async function createKey(
  services: Given,
  asking: Asking,
  owner: StoredAccount,
  draft: KeyDraft,
): Promise<{ stored: StoredKey; key: string }> {
  demandRank(asking.caller, owner);
  demandDraft(asking.caller, owner, draft, draft.permissions, draft.expires_at);
  const prefix = `svc_${Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => LETTERS[byte % 32]).join("")}`;
  const key = `${prefix}_${randomSecret()}`;
  const keyHash = await secretHash(key);
  const stored = await services.sql.begin(async (tx) => {
    const row = await insertKey(
      tx,
      { ...draft, id: newId(), accountId: owner.id, key_prefix: prefix, keyHash },
      MOST_KEYS,
    );
    if (row) await writeDown(tx, "key_created", asking, owner.id, row);
    return row;
  });
  if (!stored) {
    throw new Problem("conflict", `The account has ${MOST_KEYS} keys already: revoke one that nobody uses`);
  }
  return { stored, key };
}

/** Only permissions that are new to the key are held against what owner and caller may do. */
export async function changeKey(
  services: Given,
  asking: Asking,
  owner: StoredAccount,
  keyId: string,
  change: Partial<KeyDraft>,
): Promise<StoredKey> {
  demandRank(asking.caller, owner);
  const present = (await findKey(services.sql, owner.id, keyId)) ?? noKey();
  const draft = { ...present, ...change };
  const added = draft.permissions.filter((scope) => !present.permissions.includes(scope));
  demandDraft(asking.caller, owner, draft, added, change.expires_at ?? null);
  const changed = await services.sql.begin(async (tx) => {
    const row = await updateKey(tx, draft);
    if (row) await writeDown(tx, "key_changed", asking, owner.id, row);
    return row;
  });
  return changed ?? noKey();
}

/** At once: the next request with it is refused. */
export async function revokeKey(
  services: Given,
  asking: Asking,
  owner: StoredAccount,
  keyId: string,
): Promise<void> {
  const gone = await services.sql.begin(async (tx) => {
    const row = await deleteKey(tx, owner.id, keyId);
    if (row) await writeDown(tx, "key_revoked", asking, owner.id, row);
    return row;
  });
  if (!gone) noKey();
}

export function noKey(): never {
  throw new Problem("not_found", "The account has no key with this id");
}

/** A key acts under its owner's name and role: whoever could make one for a superuser would be one. */
function demandRank(caller: Account, owner: StoredAccount): void {
  if (owner.id === caller.id || owner.role !== "superuser" || caller.role === "superuser") return;
  throw new Problem("forbidden", "Only a superuser can make or change the keys of a superuser");
}

/** @param added the permissions to be given; nobody gives what they do not have themselves */
function demandDraft(
  caller: Account,
  owner: StoredAccount,
  { permissions }: KeyDraft,
  added: readonly string[],
  expiresAt: string | null,
): void {
  const faults: Fault[] = [];
  const theirs = scopesOf(owner.permissions);
  for (const [at, scope] of permissions.entries()) {
    if (!added.includes(scope)) continue;
    const pointer = `/permissions/${at}`;
    const said = JSON.stringify(scope);
    if (!theirs.includes(scope)) {
      faults.push({
        pointer,
        detail: `${said} is more than the account may do: ${theirs.join(", ") || "nothing"}`,
      });
    } else if (!covers(caller.permissions, withinScopes(owner.permissions, [scope]))) {
      // one word can mean more types for the owner than for whoever asks
      faults.push({
        pointer,
        detail: `${said} is more than you may do yourself, so that you cannot give it`,
      });
    }
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    faults.push({ pointer: "/expires_at", detail: "is in the past" });
  }
  if (faults.length > 0) throw invalid(faults);
}

async function writeDown(
  tx: Tx,
  event: SecurityEvent,
  { caller, client }: Asking,
  accountId: string,
  { key_prefix, permissions, expires_at }: StoredKey,
): Promise<void> {
  const detail = { key_prefix, permissions, expires_at };
  await recordSecurityEvent(tx, { event, actorId: caller.id, accountId, client, detail });
}
