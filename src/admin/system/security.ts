/** Security events: sign-ins, refusals, and changes to accounts, roles, keys and settings. */

import { html } from "hono/html";
import { SECURITY_EVENTS } from "../../accounts/security-events.ts";
import type { Api } from "../../http/endpoint.ts";
import { withSemicolons } from "../../messages/semicolons.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { option } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { emptyState, paging } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Sql } from "../../services.ts";
import {
  countSecurityEvents,
  listSecurityEvents,
  type SecurityEventRow,
} from "../../staff/security-event-store.ts";
import { findUser } from "../../staff/user-store.ts";
import { pageAsked } from "../asked.ts";
import { nameOfCode, permissionIn } from "../code-names.ts";
import { adminAnswer } from "../layout.ts";

const LIST = "/admin/security";
const PAGE_SIZE = 50;
/** Labels for the members of details, and for changed properties of accounts and settings. */
export const WORDS: Readonly<Record<string, MessageKey>> = {
  email: "signIn.email",
  email_before: "security.emailBefore",
  role: "users.role",
  role_before: "security.roleBefore",
  permissions: "keys.may",
  added: "security.added",
  removed: "security.removed",
  changed: "security.changed",
  everywhere: "security.everywhere",
  enabled: "security.enabled",
  key_prefix: "security.keyBegins",
  expires_at: "keys.expires",
  display_name: "users.name",
  password: "signIn.password",
  must_change_password: "users.mustChange",
  name: "settings.name",
  sentence: "settings.sentence",
  home_text: "settings.homeText",
  address: "settings.address",
  homepage_url: "settings.homepage",
  accent_colour: "settings.accent",
  accent_colour_dark: "settings.accentDark",
  typeface: "settings.typeface",
  footer_text: "settings.footer",
  footer_links: "settings.footerLinks",
  highlights: "settings.highlights",
  metadata_rights: "settings.metadataRights",
  harvest_sets: "settings.harvestSets",
  show_borrower: "settings.showBorrower",
  viewer_url: "settings.viewer",
  logo: "settings.logo",
};
/** Details that list permissions. */
const PERMISSIONS = ["permissions", "added", "removed"];

export function securityPages(api: Api, pages: Pages): void {
  const { sql } = api.services;

  page(api, pages, {
    path: LIST,
    summary: "The list of the security events",
    access: { feature: "users:manage" },
    async show(view) {
      const { t, link } = view;
      const event = SECURITY_EVENTS.find((name) => name === view.c.req.query("event"));
      const filter = event ? { event } : {};
      const number = pageAsked(view);
      const total = await countSecurityEvents(sql, filter);
      const rows = await listSecurityEvents(sql, filter, {
        limit: PAGE_SIZE,
        offset: (number - 1) * PAGE_SIZE,
      });
      const people = await addressesOf(sql, rows);
      return adminAnswer(view, {
        at: LIST,
        title: t("security.title"),
        content: html`<h1>${t("security.title")}</h1><p class="help">${t("security.lead")}</p>
          <form class="filters" role="search" action="${link(LIST)}"><label><span>${t("security.event")}</span>
            <select name="event"><option value="">${t("admin.any")}</option>${SECURITY_EVENTS.map((name) => option(name, t(`event.${name}`), event))}</select></label><button class="quiet">${t("admin.filter")}</button></form>
          ${rows.length === 0 ? emptyState(t("search.nothing"), t("security.none")) : table(view, rows, people)}
          ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => link(`${LIST}?${new URLSearchParams({ event: event ?? "", page: String(next) })}`))}`,
      });
    },
  });
}

/** The addresses of accounts that still exist, by id. */
async function addressesOf(sql: Sql, rows: readonly SecurityEventRow[]): Promise<Map<string, string>> {
  const ids = new Set(rows.flatMap(({ actor_id, account_id }) => [actor_id ?? [], account_id ?? []].flat()));
  const found = await Promise.all([...ids].map((id) => findUser(sql, id)));
  return new Map(found.flatMap((user) => (user ? [[user.id, user.email] as const] : [])));
}

function table(view: View, rows: readonly SecurityEventRow[], people: ReadonlyMap<string, string>): Html {
  const { t, formats } = view;
  const person = (id: string | null) => (id === null ? "–" : (people.get(id) ?? id));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("security.title")}"><table class="happened">
    <thead><tr><th>${t("security.at")}</th><th>${t("security.event")}</th><th>${t("security.by")}</th><th>${t("security.account")}</th><th>${t("security.client")}</th><th>${t("security.detail")}</th></tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr><td class="nowrap"><time datetime="${row.at}Z">${formats.time(row.at)}</time></td>
        <td>${nameOfCode(t, `event.${row.event}`, row.event)}</td>
        <td>${person(row.actor_id)}</td><td>${person(row.account_id)}</td><td>${row.client ?? "–"}</td>
        <td><small>${withSemicolons(
          t,
          Object.entries(row.detail).map(
            ([name, value]) => `${wordFor(t, name)}${t("form.colon")} ${valueText(view, name, value)}`,
          ),
        )}</small></td></tr>`,
    )}</tbody></table></div>`;
}

const wordFor = (t: View["t"], name: string): string => (WORDS[name] ? t(WORDS[name]) : name);

function valueText(view: View, name: string, value: unknown): string {
  const { t, formats } = view;
  if (Array.isArray(value)) return value.map((each) => valueText(view, name, each)).join(", ") || "–";
  if (typeof value === "boolean") return t(value ? "answer.yes" : "answer.no");
  if (value === null) return "–";
  const text = String(value);
  if (PERMISSIONS.includes(name)) return permissionIn(t, text);
  if (name === "changed") return wordFor(t, text);
  return name === "expires_at" ? formats.time(text) : text;
}
