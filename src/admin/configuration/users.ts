/** The accounts of the staff. The functions behind the API decide who may change whom (interface §5). */

import { html } from "hono/html";
import { listKeys } from "../../accounts/keys/store.ts";
import { type Api, requesterOf } from "../../http/endpoint.ts";
import { option } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState, note, paging } from "../../pages/parts.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, StaffView, View } from "../../pages/view.ts";
import { reasonBeyond } from "../../staff/actor.ts";
import { listRoles, type RoleRow } from "../../staff/role-store.ts";
import { type User, UserChangeShape, UserDraftShape, userJson } from "../../staff/user-shape.ts";
import { countUsers, listUsers, type UserFilter, type UserRow } from "../../staff/user-store.ts";
import { changeUser, createUser, demandUser, removeUser } from "../../staff/user-write.ts";
import { merged } from "../../vocabularies/shape.ts";
import { pageAsked, uuidIn } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import type { Control } from "./controls.ts";
import { keyList } from "./keys.ts";
import { resourcePages } from "./resource-pages.ts";

const LIST = "/admin/users";
const access = { feature: "users:manage" };
const PAGE_SIZE = 50;

export function userPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  resourcePages<User>(api, pages, {
    at: LIST,
    list: LIST,
    fresh: `${LIST}/new`,
    item: `${LIST}/{id}`,
    one: "an account",
    all: {
      many: "accounts",
      async content(view) {
        const q = view.c.req.query("q")?.trim().slice(0, 500) ?? "";
        const roles = await listRoles(sql);
        const role = roles.find(({ name }) => name === view.c.req.query("role"))?.name;
        const filter: UserFilter = { ...(q && { q }), ...(role && { role }) };
        const number = pageAsked(view);
        const total = await countUsers(sql, filter);
        const rows = await listUsers(sql, filter, { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE });
        return html`${filters(view, roles, q, role)}
          ${rows.length === 0 ? emptyState(view.t("search.nothing"), view.t("users.none")) : table(view, roles, rows)}
          ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => view.link(`${LIST}?${new URLSearchParams({ q, role: role ?? "", page: String(next) })}`))}`;
      },
    },
    access,
    words: { list: "users.title", fresh: "users.new", remove: "users.remove" },
    title: (_view, user) => user.display_name || user.email,
    controls: async (view, user) => userControls(view, await listRoles(sql), user),
    find: async (view) => userJson(await demandUser(sql, uuidIn(view, "id"))),
    async create(view, draft) {
      const wish = merged(UserDraftShape, {}, draft);
      const { user, password } = await createUser(services, requesterOf(view.c), wish);
      return password === null ? `${LIST}/${user.id}` : passwordOnce(view, user, password);
    },
    change: (view, patch, expected) => {
      const change = merged(UserChangeShape, {}, patch);
      return changeUser(services, requesterOf(view.c), uuidIn(view, "id"), expected, change);
    },
    remove: (view, expected) => removeUser(services, requesterOf(view.c), uuidIn(view, "id"), expected),
    async frozen(view, user) {
      const { role, permissions } = await demandUser(sql, user.id);
      return reasonBeyond(view.caller, { name: role, permissions });
    },
    async below(view, user) {
      const keys = await listKeys(sql, user.id);
      return keys.length === 0
        ? html``
        : html`<section class="group"><h2>${view.t("keys.title")}</h2>${keyList(view, keys, `${LIST}/${user.id}`)}</section>`;
    },
  });
}

function userControls({ t, caller }: StaffView, roles: readonly RoleRow[], user: User | null): Control[] {
  const options = roles
    .filter((role) => role.name === user?.role || reasonBeyond(caller, role) === null)
    .map(({ name, label }) => ({ value: name, label: labelIn(label, t.language, name) }));
  const who: Control[] = [
    { as: "text", name: "email", label: t("signIn.email"), type: "email", required: true, empty: "" },
    { as: "text", name: "display_name", label: t("users.name"), empty: "", autocomplete: "off" },
    // no preselected role, so that nobody gets one by mistake
    {
      as: "choice",
      name: "role",
      label: t("users.role"),
      options: user ? options : [{ value: "", label: t("admin.notSet") }, ...options],
      required: true,
    },
  ];
  const password: Control = {
    as: "text",
    name: "password",
    label: t("users.password"),
    // shown, because an administrator types it and passes it on
    type: "text",
    autocomplete: "off",
    help: t(user ? "users.passwordHelp" : "users.passwordNewHelp"),
  };
  if (user === null) return [...who, password];
  // people change their own password on another page, and cannot disable their own account
  if (user.id === caller.id) return who;
  const disabled = {
    as: "tick",
    name: "disabled",
    label: t("users.disabled"),
    help: t("users.disabledHelp"),
  };
  return [...who, disabled as Control, password];
}

/** Shows a new password. No other page ever does. */
function passwordOnce(view: PageView, user: UserRow, password: string) {
  const { t, link } = view;
  return adminAnswer(view, {
    at: LIST,
    title: t("users.made"),
    content: html`<h1>${t("users.made")}</h1>
      ${note("success", html`<p>${t("users.passwordOnce", { email: user.email })}</p><p><code class="secret">${password}</code></p>`, "status")}
      <p><a class="button" href="${link(LIST)}">${t("users.title")}</a></p>`,
  });
}

function filters(view: View, roles: readonly RoleRow[], q: string, role: string | undefined): Html {
  const { t } = view;
  return html`<form class="filters" role="search" action="${view.link(LIST)}">
    <label class="wide"><span>${t("users.find")}</span><input type="search" name="q" value="${q}" maxlength="500"></label>
    <label><span>${t("users.role")}</span><select name="role"><option value="">${t("admin.any")}</option>${roles.map(({ name, label }) => option(name, labelIn(label, t.language, name), role))}</select></label>
    <button class="quiet">${t("admin.filter")}</button>
  </form>`;
}

function table(view: View, roles: readonly RoleRow[], rows: readonly UserRow[]): Html {
  const { t, link, formats } = view;
  const roleName = (name: string) => {
    const role = roles.find((each) => each.name === name);
    return role ? labelIn(role.label, t.language, name) : name;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("users.title")}"><table>
    <thead><tr><th>${t("users.name")}</th><th>${t("signIn.email")}</th><th>${t("users.role")}</th><th>${t("users.lastLogin")}</th><th>${t("users.state")}</th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr>
        <td><a href="${link(`${LIST}/${row.id}`)}" dir="auto">${row.display_name || row.email}</a></td>
        <td>${row.email}</td>
        <td>${roleName(row.role)}</td>
        <td class="nowrap">${row.last_login_at ? html`<time datetime="${row.last_login_at}Z">${formats.time(row.last_login_at)}</time>` : t("users.never")}</td>
        <td>${row.disabled ? t("users.isDisabled") : row.must_change_password ? t("users.mustChange") : t("users.isActive")}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}
