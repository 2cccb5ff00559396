/** Names for the codes of the program, in the reader's language. The API uses the codes. */
import { recordActions } from "../accounts/keys/scopes.ts";
import { isMessageKey, type Translate } from "../messages/translate.ts";
import { ACTIONS } from "../staff/permissions.ts";

/** The code itself if it has no name, because another version of the program stored it. */
export const nameOfCode = (t: Translate, key: string, code: string): string =>
  isMessageKey(key) ? t(key) : code;

/** @param permission a feature, a permission of a key such as `records:write`, or one of a role: `records:update for object` */
export function permissionIn(t: Translate, permission: string): string {
  const [scope = "", kind] = permission.split(" for ");
  const action = ACTIONS.find((each) => scope === `records:${each}`);
  const actions = action ? [action] : recordActions(scope);
  if (actions.length === 0) return nameOfCode(t, `feature.${scope}`, scope);
  const what = kind === undefined ? t("roles.records") : nameOfCode(t, `kind.${kind}`, kind);
  return `${what} – ${actions.map((each) => t(`may.${each}`)).join(", ")}`;
}
