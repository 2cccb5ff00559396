/** Backups: which there are, one more now, and taking one away to another place. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import { csrfField } from "../../pages/forms.ts";
import { goOn, type Pages } from "../../pages/page.ts";
import { emptyState, note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import type { BackupFile } from "../../services.ts";
import { SUPERUSER } from "../../staff/actor.ts";
import { adminAnswer } from "../layout.ts";

const LIST = "/admin/backups";
const access = { feature: "backup:run" };

/** A backup has everything in it, also hashes of the passwords of people who may do more than others. */
const mayTake = ({ role }: Account): boolean => role === SUPERUSER;

export function backupPages(api: Api, pages: Pages): void {
  const { sql, backups, config } = api.services;

  page(api, pages, {
    path: LIST,
    summary: "The list of the backups",
    access,
    async show({ c, view, caller }) {
      const { t, link } = view;
      const files = await backups.list();
      const start = html`<form method="post" action="${link(LIST)}">${csrfField(view)}<button>${t("backups.run")}</button></form>`;
      return adminAnswer(c, view, {
        at: LIST,
        title: t("backups.title"),
        content: html`<div class="heading"><h1>${t("backups.title")}</h1>${config.backup.enabled ? start : ""}</div>
          <p class="help">${t("backups.lead", { days: config.backup.retentionDays })}</p>
          ${config.backup.enabled ? "" : note("warning", t("backups.off"))}
          ${files.length === 0 ? emptyState(t("desk.backup.never"), t("backups.none")) : table(view, files, mayTake(accountOf(caller)))}
          <p class="help">${t("backups.verify")} <code>svc-manage backup verify</code></p>`,
      });
    },
  });

  pageForm(api, pages, {
    path: LIST,
    summary: "Make a backup now",
    access,
    async take({ c, view, caller }) {
      if (!config.backup.enabled) throw new Problem("conflict", "Backups are off: BACKUP_ENABLED=false");
      // while one is made by the timetable, that one
      const request = { kind: "backup", createdBy: accountOf(caller).id, uniqueKey: "backup" } as const;
      const { job } = await enqueueJob(sql, request);
      return goOn(c, view, view.link(`/admin/jobs/${job.id}`), "jobs.waiting");
    },
  });

  endpoint(api, {
    method: "get",
    path: `${LIST}/{name}`,
    tag: "pages",
    summary: "A file of a backup",
    access,
    produces: [],
    page: true,
    answers: { 200: { description: "The file" } },
    async handle({ c, caller }) {
      if (!mayTake(accountOf(caller))) {
        throw new Problem("forbidden", "Only a superuser downloads backups: they hold everything");
      }
      const found = await backups.open(c.req.param("name") ?? "");
      if (!found) throw new Problem("not_found", "There is no such backup");
      return c.body(found.content, 200, {
        "Content-Type": "application/gzip",
        "Content-Length": String(found.file.bytes),
        "Content-Disposition": `attachment; filename="${found.file.name}"`,
        "Cache-Control": "private, no-store",
      });
    },
  });
}

function table({ t, link, formats }: View, files: readonly BackupFile[], mayTakeThem: boolean): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("backups.title")}"><table>
    <thead><tr><th>${t("backups.made")}</th><th>${t("backups.file")}</th><th>${t("backups.holds")}</th><th class="number">${t("backups.size")}</th></tr></thead>
    <tbody>${files.map(
      ({
        name,
        bytes,
        madeAt,
      }) => html`<tr><td class="nowrap"><time datetime="${madeAt}">${formats.time(madeAt)}</time></td>
        <td>${mayTakeThem ? html`<a href="${link(`${LIST}/${name}`)}" download>${name}</a>` : name}</td>
        <td>${t(name.startsWith("db_") ? "backups.database" : "backups.media")}</td>
        <td class="number nowrap">${formats.bytes(bytes)}</td></tr>`,
    )}</tbody></table></div>`;
}
