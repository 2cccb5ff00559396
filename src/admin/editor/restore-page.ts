/** Previews the changes that restoring a version would make, and restores it. */
import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { PageView, StaffView } from "../../pages/view.ts";
import type { Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { linkChangesOf } from "../../records/read/link-changes.ts";
import { currentSchema } from "../../records/schema.ts";
import { type Part, previewRevert, revertRecord } from "../../records/write/revert.ts";
import type { Services } from "../../services.ts";
import { demandRow, faultsOf, idOf, refusal, refusalNote } from "../asked.ts";
import { faultsPlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { nameOf } from "../record-names.ts";
import { listPath, recordPath } from "../sections.ts";
import { changesTable, fieldRows, wordsOfFields } from "./history-page.ts";
import { linkRows, wordsOfChanges } from "./link-history.ts";

const PARTS: readonly Part[] = ["all", "fields", "links"];
const partIn = (text: string | undefined): Part | undefined => PARTS.find((each) => each === text);

const versionIn = ({ c }: PageView): number => {
  const wanted = Number(c.req.param("version"));
  return Number.isSafeInteger(wanted) ? wanted : 0;
};

export function restorePageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const path = `${recordPath(kind, "{id}")}/history/{version}/restore`;
    const access = { action: "update", kind } as const;

    page(api, pages, {
      path,
      summary: `What taking ${kinds[kind].one} back to an older version would change`,
      access,
      show: (view) => preview(services, view, kind, partIn(view.c.req.query("part")) ?? "all"),
    });

    pageForm(api, pages, {
      path,
      summary: `Take ${kinds[kind].one} back to an older version`,
      access,
      async take(view, fields) {
        const id = idOf(view, kind);
        const part = partIn(fields.get("part")) ?? "fields";
        // the version that the preview showed
        const seen = fields.get("seen");
        const expected = seen === undefined ? null : [Number(seen)];
        try {
          await revertRecord(services, view.caller, kind, id, { version: versionIn(view), part }, expected);
        } catch (error) {
          return preview(services, view, kind, part, refusal(error));
        }
        const record = recordPath(kind, id);
        // which links were restored, removed or could not be restored
        return part === "fields"
          ? redirectTo(view, record, "admin.reverted")
          : redirectTo(view, `${record}/history`, "admin.revertedLinks");
      },
    });
  }
}

async function preview(
  services: Services,
  view: StaffView,
  kind: Kind,
  part: Part,
  refused?: Problem,
): Promise<Response> {
  const { t, link, caller } = view;
  const { sql } = services;
  const row = await demandRow(services, view, kind);
  const schema = await currentSchema(sql, row.configuration_version);
  const version = versionIn(view);
  const item = await previewRevert(sql, schema, caller, row, { version, part });
  const [links] = await linkChangesOf(sql, caller, schema, row, [item]);
  const inWords = await wordsOfChanges(sql, view, schema, links!.changes);
  const told = await wordsOfFields(sql, view, schema, kind, item.changes);
  const rows = [
    ...fieldRows(view, schema, kind, item.changes, told),
    ...linkRows(view, schema, row, links!, inWords, () => ""),
  ];
  const here = link(recordPath(kind, row.id));
  const name = nameOf(view, schema, row);
  const title = t("history.restore", { number: version });
  const tab = (each: Part) =>
    html`<li><a href="${here}/history/${version}/restore?part=${each}" ${each === part ? html`aria-current="page"` : ""}>${t(`history.part.${each}`)}</a></li>`;
  return adminAnswer(view, {
    at: listPath(kind),
    title: `${title} · ${name}`,
    status: refused?.status,
    content: html`<div>
        <p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a> <span aria-hidden="true">›</span> <a href="${here}">${row.idno}</a> <span aria-hidden="true">›</span> <a href="${here}/history">${t("admin.history")}</a></p>
        <h1><span dir="auto">${name}</span>${t("form.colon")} ${title}</h1>
      </div>
      ${refused ? refusalNote(view, refused, faultsPlainly(view, schema, kind, faultsOf(refused))) : ""}
      <div class="views"><nav aria-label="${t("history.part")}"><ul>${PARTS.map(tab)}</ul></nav></div>
      ${rows.length === 0 ? html`<p>${t("history.same")}</p>` : html`<p class="help">${t("history.restoreText")}</p>`}
      ${changesTable(view, title, rows)}
      ${
        rows.length === 0
          ? ""
          : html`<form method="post" action="${here}/history/${version}/restore">${csrfField(view)}<input type="hidden" name="part" value="${part}"><input type="hidden" name="seen" value="${row.version}">
            <button>${t("admin.restoreVersion")}</button></form>`
      }`,
  });
}
