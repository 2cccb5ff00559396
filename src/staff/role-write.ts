/** Creates, changes and removes roles, and checks the rules. A change holds from the next request of every account. */

import { recordEventBy } from "../accounts/security-events.ts";
import type { Account } from "../caller.ts";
import { demandUnchanged, type Expected } from "../http/answer/resource-answers.ts";
import type { Requester } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { demandSame } from "../vocabularies/shape.ts";
import { administer, demandWithin, SUPERUSER } from "./actor.ts";
import { ordered, permissionsBeyond } from "./permissions.ts";
import { type RoleDraft, type RoleReplacement, roleJson } from "./role-shape.ts";
import { countHolders, deleteRole, findRole, insertRole, type RoleRow, updateRole } from "./role-store.ts";

/** These cannot be deleted: the first account gets one of them, and `svc-manage reset-admin` looks for them. */
const KEPT = [SUPERUSER, "admin"];

type NeededServices = Pick<Services, "sql">;

/** 403 if the role would permit more than the actor may. */
export async function createRole({ sql }: NeededServices, by: Requester, draft: RoleDraft): Promise<RoleRow> {
  const role = { ...draft, permissions: ordered(draft.permissions) };
  return administer(sql, by, async (tx, actor) => {
    demandWithin(actor, role, "problem.role.create_refused", role.name);
    await insertRole(tx, role);
    await recordEventBy(tx, by, "role_created", null, {
      role: role.name,
      permissions: permissionsBeyond(NOTHING, role.permissions),
    });
    return role;
  });
}

/** `edit` returns the new state for the current one. 403 if either permits more than the actor may. */
export async function changeRole(
  { sql }: NeededServices,
  by: Requester,
  name: string,
  expected: Expected,
  edit: (current: RoleRow) => RoleReplacement,
): Promise<RoleRow> {
  return administer(sql, by, async (tx, actor) => {
    const before = await changeableRole(tx, actor, name, expected);
    const wish = edit(before);
    demandSame("name", wish.name, name);
    const after = { ...wish, name, permissions: ordered(wish.permissions) };
    demandWithin(actor, after, "problem.role.change_refused", name);
    await updateRole(tx, after);
    await recordEventBy(tx, by, "role_changed", null, {
      role: name,
      added: permissionsBeyond(before.permissions, after.permissions),
      removed: permissionsBeyond(after.permissions, before.permissions),
    });
    return after;
  });
}

export async function removeRole(
  { sql }: NeededServices,
  by: Requester,
  name: string,
  expected: Expected,
): Promise<void> {
  await administer(sql, by, async (tx, actor) => {
    const role = await changeableRole(tx, actor, name, expected);
    if (KEPT.includes(name)) throw new Problem("conflict", said("problem.role.kept", { role: name }));
    const count = await countHolders(tx, name);
    if (count > 0) throw new Problem("conflict", said("problem.role.in_use", { role: name, count }));
    await deleteRole(tx, name);
    await recordEventBy(tx, by, "role_deleted", null, {
      role: name,
      permissions: permissionsBeyond(NOTHING, role.permissions),
    });
  });
}

export async function demandRole(sql: Sql | Tx, name: string): Promise<RoleRow> {
  const role = await findRole(sql, name);
  if (!role) throw new Problem("not_found", said("problem.role.not_found", { name: name.slice(0, 80) }));
  return role;
}

const NOTHING = { records: {}, features: [] };

/** The role; 403 or 409 if the actor may not change it. */
async function changeableRole(tx: Tx, actor: Account, name: string, expected: Expected): Promise<RoleRow> {
  const role = await demandRole(tx, name);
  await demandUnchanged(expected, roleJson(role));
  if (name === SUPERUSER) {
    throw new Problem("conflict", said("problem.role.superuser_fixed"));
  }
  demandWithin(actor, role, "problem.role.refused", name);
  return role;
}
