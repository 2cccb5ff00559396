/** Lists of API keys, and revoking the keys of others. */
import { html } from "hono/html";
import { ownerOfKeys, revokeKey } from "../../accounts/keys/keys.ts";
import type { StoredKey } from "../../accounts/keys/store.ts";
import { type Api, requesterOf } from "../../http/endpoint.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { uuidIn } from "../asked.ts";
import { permissionIn } from "../code-names.ts";

/** `path`: of the page that shows the list. */
export function keyList(view: View, keys: readonly StoredKey[], path: string): Html {
  const { t, link, formats } = view;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("keys.title")}"><table>
    <thead><tr><th>${t("keys.name")}</th><th>${t("keys.begins")}</th><th>${t("keys.may")}</th><th>${t("keys.expires")}</th><th>${t("keys.used")}</th><th><span class="hidden">${t("keys.revoke")}</span></th></tr></thead>
    <tbody>${keys.map(
      (key) => html`<tr>
        <td dir="auto">${key.name}</td>
        <td><code>${key.key_prefix}…</code></td>
        <td>${withSemicolons(
          t,
          key.permissions.map((each) => permissionIn(t, each)),
        )}</td>
        <td class="nowrap">${key.expires_at ? formats.day(key.expires_at) : t("users.never")}</td>
        <td class="nowrap">${key.last_used_at ? formats.time(key.last_used_at) : t("users.never")}</td>
        <td><form method="post" action="${link(`${path}/keys/${key.id}/revoke`)}">${csrfField(view)}
          <button class="quiet small" aria-label="${t("keys.revoke")}${t("form.colon")} ${key.name}">${t("keys.revoke")}</button></form></td>
      </tr>`,
    )}</tbody></table></div>`;
}

export function keyOfOthersRoutes(api: Api, pages: Pages): void {
  pageForm(api, pages, {
    path: "/admin/users/{id}/keys/{key}/revoke",
    summary: "Revoke an API key of an account",
    access: { feature: "users:manage" },
    async take(view) {
      const owner = await ownerOfKeys(api.services, view.caller, uuidIn(view, "id"));
      await revokeKey(api.services, requesterOf(view.c), owner, uuidIn(view, "key"));
      return redirectTo(view, `/admin/users/${owner.id}`, "keys.revoked");
    },
  });
}
