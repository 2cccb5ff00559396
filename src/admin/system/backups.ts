/** Backups: the list, making one now, and downloading one. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { type Api, accountOf, endpoint } from "../../http/endpoint.ts";
import { enqueueJob } from "../../jobs/enqueue.ts";
import type { Job } from "../../jobs/job.ts";
import { listJobs } from "../../jobs/store.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, note } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import type { BackupFile, Sql } from "../../services.ts";
import { SUPERUSER } from "../../staff/actor.ts";
import { adminAnswer } from "../layout.ts";

const LIST = "/admin/backups";
const access = { feature: "backup:run" };
const VERIFY = "backup-verify";
/** The number of latest checks that are searched for the results of each backup. */
const LATEST = 100;

/** An archive of media is checked together with its dump. */
const isDump = (name: string): boolean => name.startsWith("db_");

/** Only superusers, because a backup contains everything, even password hashes of more powerful accounts. */
const mayTake = ({ role }: Account): boolean => role === SUPERUSER;

export function backupPages(api: Api, pages: Pages): void {
  const { sql, backups, config } = api.services;

  page(api, pages, {
    path: LIST,
    summary: "The list of the backups",
    access,
    async show(view) {
      const { caller, t, link } = view;
      const files = await backups.list();
      const proofs = await lastProofs(sql);
      const start = html`<form method="post" action="${link(LIST)}">${csrfField(view)}<button>${t("backups.run")}</button></form>`;
      return adminAnswer(view, {
        at: LIST,
        title: t("backups.title"),
        content: html`<div class="heading"><h1>${t("backups.title")}</h1>${config.backup.enabled ? start : ""}</div>
          <p class="help">${t("backups.lead", { days: config.backup.retentionDays })}</p>
          ${config.backup.enabled ? "" : note("warning", t("backups.off"))}
          ${files.length === 0 ? emptyState(t("desk.backup.never"), t("backups.none")) : table(view, files, proofs, mayTake(caller))}
          ${files.length === 0 ? "" : html`<p class="help">${t("backups.checkLead")}</p>`}`,
      });
    },
  });

  pageForm(api, pages, {
    path: LIST,
    summary: "Make a backup now",
    access,
    async take(view) {
      if (!config.backup.enabled) throw new Problem("conflict", said("problem.backup.off"));
      // if a scheduled backup is running, returns that one
      const request = { kind: "backup", createdBy: view.caller.id, uniqueKey: "backup" } as const;
      const { job } = await enqueueJob(sql, request);
      return redirectTo(view, `/admin/jobs/${job.id}`, "jobs.waiting");
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/{name}/verify`,
    summary: "Check a backup by restoring it where it does not matter",
    access,
    async take(view) {
      const file = view.c.req.param("name") ?? "";
      const isThere = isDump(file) && (await backups.list()).some(({ name }) => name === file);
      if (!isThere) throw new Problem("not_found", said("problem.backup.not_found"));
      const { job } = await enqueueJob(sql, {
        kind: VERIFY,
        params: { file },
        createdBy: view.caller.id,
        uniqueKey: `${VERIFY} ${file}`,
      });
      return redirectTo(view, `/admin/jobs/${job.id}`, "jobs.waiting");
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
        throw new Problem("forbidden", said("problem.backup.superuser_only"));
      }
      const found = await backups.open(c.req.param("name") ?? "");
      if (!found) throw new Problem("not_found", said("problem.backup.not_found"));
      const headers = {
        "Content-Type": "application/gzip",
        "Content-Length": String(found.file.bytes),
        "Content-Disposition": `attachment; filename="${found.file.name}"`,
        "Cache-Control": "private, no-store",
      };
      if (c.req.method !== "HEAD") return c.body(found.content, 200, headers);
      await found.content.cancel();
      return c.body(null, 200, headers);
    },
  });
}

/** The latest check of each backup, by name. */
async function lastProofs(sql: Sql): Promise<Map<string, Job>> {
  const jobs = await listJobs(sql, { kind: VERIFY }, { limit: LATEST, offset: 0 });
  return new Map(jobs.reverse().map((job) => [String(job.params.file), job]));
}

function table(
  view: View,
  files: readonly BackupFile[],
  proofs: ReadonlyMap<string, Job>,
  mayTakeThem: boolean,
): Html {
  const { t, link, formats } = view;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("backups.title")}"><table>
    <thead><tr><th>${t("backups.made")}</th><th>${t("backups.file")}</th><th>${t("backups.holds")}</th><th class="number">${t("backups.size")}</th><th>${t("backups.checked")}</th></tr></thead>
    <tbody>${files.map(
      ({
        name,
        bytes,
        madeAt,
      }) => html`<tr><td class="nowrap"><time datetime="${madeAt}">${formats.time(madeAt)}</time></td>
        <td>${mayTakeThem ? html`<a href="${link(`${LIST}/${name}`)}" download>${name}</a>` : name}</td>
        <td>${t(isDump(name) ? "backups.database" : "backups.media")}</td>
        <td class="number nowrap">${formats.bytes(bytes)}</td>
        <td>${isDump(name) ? checkOf(view, name, proofs.get(name)) : ""}</td></tr>`,
    )}</tbody></table></div>`;
}

/** The result of the last check of a backup, and a button to check it again. */
function checkOf(view: View, name: string, last: Job | undefined): Html {
  const { t, link, formats } = view;
  const job = last && link(`/admin/jobs/${last.id}`);
  const isUnderWay = last?.state === "queued" || last?.state === "running";
  const words = isUnderWay
    ? t("backups.checking")
    : last?.state === "done"
      ? t("backups.proved", { time: formats.time(last.finished_at!) })
      : last?.state === "failed"
        ? t("backups.failed")
        : t("backups.never");
  return html`<div class="row">${job ? html`<a href="${job}">${words}</a>` : html`<span class="help">${words}</span>`}
    ${isUnderWay ? "" : html`<form method="post" action="${link(`${LIST}/${name}/verify`)}">${csrfField(view)}<button class="quiet small" aria-label="${t("backups.checkThis", { what: name })}">${t("backups.check")}</button></form>`}</div>`;
}
