/** Creates, changes and removes accounts, and checks the rules. */
import { queueNotice } from "../accounts/account-notices.ts";
import { emailKey } from "../accounts/email.ts";
import { revokeKeysOf } from "../accounts/keys/keys.ts";
import { normalisePassword, passwordFault, randomPassword } from "../accounts/passwords/passwords.ts";
import { endReset } from "../accounts/passwords/reset-store.ts";
import { recordEventBy } from "../accounts/security-events.ts";
import { insertAccount } from "../accounts/store.ts";
import type { Account } from "../caller.ts";
import { demandUnchanged, type Expected } from "../http/answer/resource-answers.ts";
import type { Requester } from "../http/endpoint.ts";
import { newId } from "../ids.ts";
import { said } from "../messages/said.ts";
import { invalid, Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { administer, demandWithin, SUPERUSER } from "./actor.ts";
import { findRole } from "./role-store.ts";
import { type UserChange, type UserDraft, userJson } from "./user-shape.ts";
import {
  deleteUser,
  findUser,
  hasOtherSuperuser,
  holdUser,
  isInHistory,
  type UserRow,
  type UserState,
  updateUser,
} from "./user-store.ts";

type NeededServices = Pick<Services, "sql" | "passwords">;

/** Without a password one is generated and returned. Either must be changed at the first sign-in. */
export async function createUser(
  { sql, passwords }: NeededServices,
  by: Requester,
  draft: UserDraft,
): Promise<{ user: UserRow; password: string | null }> {
  demandGoodPassword(draft.password, draft.email);
  const password = draft.password ?? randomPassword();
  const passwordHash = await passwords.hash(normalisePassword(password));
  const id = newId();
  const user = await administer(sql, by, async (tx, actor) => {
    await demandRole(tx, actor, draft.role);
    await insertAccount(tx, {
      id,
      email: draft.email,
      displayName: draft.display_name,
      role: draft.role,
      passwordHash,
      mustChangePassword: true,
    });
    await recordEventBy(tx, by, "account_created", id, { email: draft.email, role: draft.role });
    return demandUser(tx, id);
  });
  return { user, password: draft.password === undefined ? password : null };
}

/** A new role, a new password and disabling end all tokens of the account. */
export async function changeUser(
  { sql, passwords, mail }: NeededServices & Pick<Services, "mail">,
  by: Requester,
  id: string,
  expected: Expected,
  change: UserChange,
): Promise<UserRow> {
  const { password } = change;
  if (password !== undefined && id === by.caller.id) {
    throw new Problem("conflict", said("problem.account.own_password"));
  }
  const passwordHash = password === undefined ? null : await passwords.hash(normalisePassword(password));
  return administer(sql, by, async (tx, actor) => {
    const before = await lockChangeableUser(tx, actor, id, expected);
    const after = stateAfter(before, change);
    demandGoodPassword(password, after.email);
    if (after.role !== before.role) await demandRole(tx, actor, after.role);
    if (after.role !== SUPERUSER || after.disabled) await demandOtherSuperuser(tx, before);
    const changed: string[] = KEYS.filter((key) => after[key] !== before[key]);
    if (passwordHash !== null) changed.push("password");
    const switched = after.disabled !== before.disabled;
    if (changed.length === 0 && !switched) return before;
    const ends = passwordHash !== null || after.role !== before.role || (switched && after.disabled);
    await updateUser(tx, id, after, { passwordHash, ends });
    if (after.role === SUPERUSER && before.role !== SUPERUSER) await revokeKeysOf(tx, by, id);
    // a reset link that was sent to the old address becomes invalid
    if (after.email !== before.email) await endReset(tx, id);
    if (emailKey(after.email) !== emailKey(before.email))
      await queueNotice(tx, { mail }, "email_changed", before);
    if (passwordHash !== null)
      await queueNotice(tx, { mail }, "password_changed", { id, email: after.email });
    if (switched) {
      await recordEventBy(tx, by, after.disabled ? "account_disabled" : "account_enabled", id, {});
    }
    if (changed.length > 0) {
      const detail: Record<string, string | readonly string[]> = { changed };
      for (const key of ["email", "role"] as const) {
        if (after[key] !== before[key])
          Object.assign(detail, { [key]: after[key], [`${key}_before`]: before[key] });
      }
      await recordEventBy(tx, by, "account_changed", id, detail);
    }
    return demandUser(tx, id);
  });
}

/** 409 if the history names the account, because it would then no longer say who made a change. */
export async function removeUser(
  { sql }: NeededServices,
  by: Requester,
  id: string,
  expected: Expected,
): Promise<void> {
  await administer(sql, by, async (tx, actor) => {
    const user = await lockChangeableUser(tx, actor, id, expected);
    await demandOtherSuperuser(tx, user);
    if (await isInHistory(tx, id)) {
      throw new Problem("conflict", said("problem.account.in_history", { email: user.email }));
    }
    await deleteUser(tx, id);
    await recordEventBy(tx, by, "account_deleted", id, { email: user.email, role: user.role });
  });
}

export async function demandUser(sql: Sql | Tx, id: string): Promise<UserRow> {
  return found(await findUser(sql, id));
}

const KEYS = ["email", "display_name", "role", "must_change_password"] as const;

function stateAfter(before: UserRow, change: UserChange): UserState {
  return {
    email: change.email ?? before.email,
    display_name: change.display_name ?? before.display_name,
    role: change.role ?? before.role,
    disabled: change.disabled ?? before.disabled,
    must_change_password:
      change.password !== undefined || (change.must_change_password ?? before.must_change_password),
  };
}

/** The account, locked until the transaction ends; 403 or 404 if the actor may not change it. */
async function lockChangeableUser(tx: Tx, actor: Account, id: string, expected: Expected): Promise<UserRow> {
  const user = found(await holdUser(tx, id));
  await demandUnchanged(expected, userJson(user));
  const role = { name: user.role, permissions: user.permissions };
  demandWithin(actor, role, "problem.account.refused", user.email);
  return user;
}

async function demandRole(tx: Tx, actor: Account, name: string): Promise<void> {
  const role = await findRole(tx, name);
  if (!role) throw invalid([{ pointer: "/role", detail: said("fault.role.unknown") }]);
  demandWithin(actor, role, "problem.role.give_refused", name);
}

async function demandOtherSuperuser(tx: Tx, user: UserRow): Promise<void> {
  if (user.role !== SUPERUSER || user.disabled || (await hasOtherSuperuser(tx, user.id))) return;
  throw new Problem("conflict", said("problem.account.last_superuser", { email: user.email }));
}

function demandGoodPassword(password: string | undefined, email: string): void {
  const fault = password === undefined ? null : passwordFault(password, email);
  if (fault) throw invalid([{ pointer: "/password", detail: fault }]);
}

function found(user: UserRow | undefined): UserRow {
  if (!user) throw new Problem("not_found", said("problem.account.not_found"));
  return user;
}
