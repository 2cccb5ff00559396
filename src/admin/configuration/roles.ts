/** Roles, and the matrix of the permissions of each. */

import { html } from "hono/html";
import { type Api, requesterOf } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import type { Pages } from "../../pages/page.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import type { FaultJson } from "../../problem.ts";
import { KINDS } from "../../records/kinds.ts";
import { reasonBeyond, SUPERUSER } from "../../staff/actor.ts";
import { ACTIONS, FEATURES } from "../../staff/permissions.ts";
import { RoleDraftShape, RoleReplacementShape, roleJson } from "../../staff/role-shape.ts";
import { listRoles, type RoleRow } from "../../staff/role-store.ts";
import { changeRole, createRole, demandRole, removeRole } from "../../staff/role-write.ts";
import { merged } from "../../vocabularies/shape.ts";
import { permissionIn } from "../code-names.ts";
import {
  type Control,
  controlHtml,
  labelControl,
  nameControl,
  oneOf,
  orderControl,
  type Values,
  valueAt,
} from "./controls.ts";
import { resourcePages } from "./resource-pages.ts";

const LIST = "/admin/roles";
const access = { feature: "users:manage" };

export function rolePages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  resourcePages<RoleRow>(api, pages, {
    at: LIST,
    list: LIST,
    fresh: `${LIST}/new-role`,
    item: `${LIST}/{name}`,
    one: "a role",
    all: {
      many: "roles",
      async content(view) {
        const { t, link } = view;
        const roles = await listRoles(sql);
        return html`<p class="help">${t("roles.lead")}</p>
          <div class="scroll" tabindex="0" role="region" aria-label="${t("roles.title")}"><table>
            <thead><tr><th>${t("config.label")}</th><th>${t("config.name")}</th><th>${t("roles.records")}</th><th>${t("roles.features")}</th></tr></thead>
            <tbody>${roles.map(
              (
                role,
              ) => html`<tr><td><a href="${link(`${LIST}/${role.name}`)}" dir="auto">${titleOf(view, role)}</a></td>
                <td><code>${role.name}</code></td><td>${inShort(view, role)}</td><td class="listed">${role.permissions.features.map((feature) => permissionIn(t, feature)).join(", ") || "–"}</td></tr>`,
            )}</tbody></table></div>`;
      },
    },
    access,
    words: { list: "roles.title", fresh: "roles.new", remove: "roles.remove" },
    title: titleOf,
    controls: (view, role) => roleControls(view, role === null),
    find: async (view) => roleJson(await demandRole(sql, nameIn(view))),
    async create(view, draft) {
      return `${LIST}/${(await createRole(services, requesterOf(view.c), merged(RoleDraftShape, {}, draft))).name}`;
    },
    change: (view, patch, expected) =>
      changeRole(services, requesterOf(view.c), nameIn(view), expected, (current) =>
        merged(RoleReplacementShape, roleJson(current), patch),
      ),
    remove: (view, expected) => removeRole(services, requesterOf(view.c), nameIn(view), expected),
    frozen: async (view, role) =>
      role.name === SUPERUSER ? said("roles.superuser") : reasonBeyond(view.caller, role),
    form: matrix,
  });
}

const nameIn = ({ c }: PageView): string => c.req.param("name") ?? "";
const titleOf = ({ t }: View, { label, name }: RoleRow): string => labelIn(label, t.language, name);

function roleControls(view: View, isNew: boolean): Control[] {
  const { t } = view;
  const actions = ACTIONS.map((value) => ({ value, label: t(`may.${value}`) }));
  const features = FEATURES.map((value) => ({ value, label: t(`feature.${value}`) }));
  return [
    ...(isNew ? [nameControl(view)] : []),
    labelControl(view),
    orderControl(view),
    ...KINDS.map((kind): Control => {
      return { as: "ticks", name: `permissions/records/${kind}`, label: t(`kind.${kind}`), options: actions };
    }),
    { as: "ticks", name: "permissions/features", label: t("roles.features"), options: features },
  ];
}

/** A table of kinds by actions, instead of a list of boxes for each kind. */
function matrix(
  view: View,
  controls: readonly Control[],
  values: Values,
  faults: readonly FaultJson[],
): Html {
  const { t } = view;
  const rows = controls.filter(({ name }) => name.startsWith("permissions/records/"));
  const shown = (control: Control) => controlHtml(view, control, values, faults);
  const rest = controls.filter((control) => !rows.includes(control));
  return html`${rest.slice(0, -1).map(shown)}
    <fieldset class="field wide"><legend>${t("roles.records")}</legend>
      <p class="help">${t("roles.recordsHelp")}</p>
      <div class="scroll" tabindex="0" role="region" aria-label="${t("roles.records")}"><table class="matrix">
        <thead><tr><th>${t("roles.kind")}</th>${ACTIONS.map((action) => html`<th>${t(`may.${action}`)}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => {
          const own = faults.filter(({ pointer }) => pointer.startsWith(`/${row.name}`));
          return html`<tr id="${row.name}"><th scope="row">${row.label}${own.map(({ detail }) => html`<p class="fault">${detail}</p>`)}</th>${ACTIONS.map(
            (action) =>
              html`<td>${oneOf(row.name, { value: action, label: `${row.label}${t("form.colon")} ${t(`may.${action}`)}` }, valueAt(values, row.name))}</td>`,
          )}</tr>`;
        })}</tbody></table></div></fieldset>
    ${rest.slice(-1).map(shown)}`;
}

/** Its permissions for records in short, with a remark if they differ between kinds. */
function inShort({ t }: View, { permissions }: RoleRow): string {
  const held = KINDS.map((kind) => ACTIONS.filter((action) => permissions.records[kind]?.includes(action)));
  const all = ACTIONS.filter((action) => held.some((actions) => actions.includes(action)));
  if (all.length === 0) return "–";
  const isSame = held.every((actions) => actions.length === all.length);
  return `${all.map((action) => t(`may.${action}`)).join(", ")}${isSame ? "" : ` (${t("roles.notAll")})`}`;
}
