/** Background jobs: the list, one job, and starting new ones. */
import { html } from "hono/html";
import { mayUse } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { cancelFor, demandJob, mayChange, retryFor } from "../../jobs/change.ts";
import { enqueueRebuild } from "../../jobs/enqueue.ts";
import { isOver, JOB_STATES, type JobState, type jobJson } from "../../jobs/job.ts";
import { JOB_KIND_NAMES } from "../../jobs/kinds.ts";
import { JOBS_READ, jobFor } from "../../jobs/shown.ts";
import { countJobs, type JobFilter, listJobs } from "../../jobs/store.ts";
import { graphProjection } from "../../linked-data/graph-projection.ts";
import { said } from "../../messages/said.ts";
import type { MessageKey } from "../../messages/translate.ts";
import { csrfField, option } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, note, paging } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { KINDS, type Kind } from "../../records/kinds.ts";
import { enqueueReindex } from "../../search/enqueue-reindex.ts";
import { pageAsked, uuidIn } from "../asked.ts";
import { nameOfCode } from "../code-names.ts";
import { adminAnswer } from "../layout.ts";

const LIST = "/admin/jobs";
const PAGE_SIZE = 50;

type Shown = ReturnType<typeof jobJson>;

export function jobPages(api: Api, pages: Pages): void {
  const { sql, graphs } = api.services;

  page(api, pages, {
    path: LIST,
    summary: "The list of the jobs",
    access: { feature: JOBS_READ },
    async show(view) {
      const { c, caller, t, link } = view;
      const kind = JOB_KIND_NAMES.find((name) => name === c.req.query("kind"));
      const state = JOB_STATES.find((name) => name === c.req.query("state"));
      const filter: JobFilter = { ...(kind && { kind }), ...(state && { state }) };
      const number = pageAsked(view);
      const total = await countJobs(sql, filter);
      const jobs = await listJobs(sql, filter, { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE });
      const shown = jobs.map((job) => jobFor(view.t, caller, job));
      const runs = shown.some((job) => job.state === "running" || job.state === "queued");
      return adminAnswer(view, {
        at: LIST,
        title: t("jobs.title"),
        content: html`<div class="heading"><h1>${t("jobs.title")}</h1>${starters(view, graphs !== null)}</div>
          ${filters(view, filter)}
          <div id="live" ${runs ? html`data-live` : ""}>${shown.length === 0 ? emptyState(t("search.nothing"), t("jobs.none")) : table(view, shown)}</div>
          ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => link(`${LIST}?${new URLSearchParams({ kind: kind ?? "", state: state ?? "", page: String(next) })}`))}`,
      });
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/reindex`,
    summary: "Rebuild the search index",
    access: { feature: "search:reindex" },
    async take(view) {
      const job = await enqueueReindex(sql, null, view.caller.id);
      return redirectTo(view, `${LIST}/${job.id}`, "jobs.waiting");
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/rebuild`,
    summary: "Rebuild the triple store",
    access: { feature: "rdf:rebuild" },
    async take(view) {
      if (graphs === null) throw new Problem("conflict", said("problem.triple_store.off"));
      const job = await enqueueRebuild(sql, graphProjection.target, view.caller.id);
      return redirectTo(view, `${LIST}/${job.id}`, "jobs.waiting");
    },
  });

  // the account that created a job may see it, too
  const access = { feature: JOBS_READ, orMaker: true } as const;

  page(api, pages, {
    path: `${LIST}/{id}`,
    summary: "A job",
    access,
    async show(view) {
      const { caller } = view;
      const job = await demandJob(sql, caller, uuidIn(view, "id"));
      const shown = jobFor(view.t, caller, job);
      return adminAnswer(view, {
        at: LIST,
        title: nameOf(view, shown),
        content: jobPage(view, shown, isOver(job), mayChange(caller, job)),
      });
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/{id}/cancel`,
    summary: "Cancel a job",
    access,
    async take(view) {
      const job = await cancelFor(sql, view.caller, uuidIn(view, "id"));
      const told = job.state === "cancelled" ? "jobs.cancelled" : "jobs.willStop";
      return redirectTo(view, `${LIST}/${job.id}`, told);
    },
  });

  pageForm(api, pages, {
    path: `${LIST}/{id}/retry`,
    summary: "Retry a failed or cancelled job",
    access,
    async take(view) {
      const job = await retryFor(sql, view.caller, uuidIn(view, "id"));
      const isImport = job.kind === "import" || job.kind === "import-undo";
      const path = isImport && mayUse(view.caller, "import:run") ? "/admin/imports/jobs" : LIST;
      return redirectTo(view, `${path}/${job.id}`, "jobs.waiting");
    },
  });
}

function starters(view: View, hasGraphs: boolean): Html {
  const { t, link, caller } = view;
  const button = (path: string, label: MessageKey) =>
    html`<form method="post" action="${link(`${LIST}/${path}`)}">${csrfField(view)}<button class="quiet">${t(label)}</button></form>`;
  return html`<div class="row starters">
    ${mayUse(caller, "search:reindex") ? button("reindex", "feature.search:reindex") : ""}
    ${hasGraphs && mayUse(caller, "rdf:rebuild") ? button("rebuild", "feature.rdf:rebuild") : ""}
  </div>`;
}

function filters({ t, link }: View, { kind, state }: JobFilter): Html {
  return html`<form class="filters" role="search" action="${link(LIST)}">
    <label><span>${t("jobs.kind")}</span><select name="kind"><option value="">${t("admin.any")}</option>${JOB_KIND_NAMES.map((name) => option(name, t(`job.${name}`), kind))}</select></label>
    <label><span>${t("jobs.state")}</span><select name="state"><option value="">${t("admin.any")}</option>${JOB_STATES.map((name) => option(name, t(`jobState.${name}`), state))}</select></label>
    <button class="quiet">${t("admin.filter")}</button></form>`;
}

const nameOf = ({ t }: View, { kind }: Shown): string => nameOfCode(t, `job.${kind}`, kind);

function table(view: View, jobs: readonly Shown[]): Html {
  const { t, link, formats } = view;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t("jobs.title")}"><table>
    <thead><tr><th>${t("jobs.kind")}</th><th>${t("jobs.state")}</th><th>${t("jobs.progress")}</th><th>${t("jobs.asked")}</th><th>${t("jobs.ended")}</th></tr></thead>
    <tbody>${jobs.map(
      (job) => html`<tr>
        <td><a href="${link(`${LIST}/${job.job_id}`)}">${nameOf(view, job)}</a></td>
        <td>${stateOf(view, job.state)}</td>
        <td class="nowrap">${progress(view, job)}</td>
        <td class="nowrap"><time datetime="${job.created_at}Z">${formats.time(job.created_at)}</time></td>
        <td class="nowrap">${job.finished_at ? html`<time datetime="${job.finished_at}Z">${formats.time(job.finished_at)}</time>` : "–"}</td>
      </tr>`,
    )}</tbody></table></div>`;
}

const stateOf = ({ t }: View, state: JobState): Html =>
  html`<span class="job-state ${state}">${t(`jobState.${state}`)}</span>`;

function progress({ t, formats }: View, { total, done, state }: Shown): Html {
  if (total === null) return html`–`;
  const words = `${formats.number(done)} / ${formats.number(total)}`;
  return state === "running"
    ? html`<progress value="${done}" max="${Math.max(total, 1)}" aria-label="${t("jobs.progress")}"></progress> ${words}`
    : html`${words}`;
}

function jobPage(view: View, job: Shown, over: boolean, mayChangeIt: boolean): Html {
  const { t, link, formats } = view;
  const here = `${LIST}/${job.job_id}`;
  const time = (label: MessageKey, at: string | null) =>
    at ? html`<dt>${t(label)}</dt><dd><time datetime="${at}Z">${formats.time(at)}</time></dd>` : "";
  const facts = factsOf(view, { ...job.params, ...job.result });
  return html`<div><p class="crumbs"><a href="${link(LIST)}">${t("jobs.title")}</a></p><h1>${nameOf(view, job)}</h1></div>
    <div id="live" class="groups" ${over ? "" : html`data-live`}>
      <dl class="pairs-list"><dt>${t("jobs.state")}</dt><dd>${stateOf(view, job.state)}${job.cancel_requested && !over ? html` (${t("jobs.stopping")})` : ""}</dd>
        <dt>${t("jobs.progress")}</dt><dd>${progress(view, job)}</dd>
        ${time("jobs.asked", job.created_at)}${time("jobs.begun", job.started_at)}${time("jobs.ended", job.finished_at)}
        <dt>${t("jobs.attempts")}</dt><dd>${formats.number(job.attempts)}</dd></dl>
      ${job.reason ? note(job.state === "failed" ? "error" : "warning", job.reason) : ""}
      ${
        job.messages.length === 0
          ? ""
          : html`<section class="group"><h2>${t("jobs.messages")}</h2><ul class="plain">${job.messages.map(({ at, text }) => html`<li><small><time datetime="${at}Z">${formats.time(at)}</time></small> ${text}</li>`)}</ul></section>`
      }
      ${
        facts.length === 0
          ? ""
          : html`<details class="folded"><summary>${t("jobs.result")}</summary><dl class="pairs-list">${facts.map(([label, value]) => html`<dt>${t(label)}</dt><dd>${value}</dd>`)}</dl></details>`
      }
      ${!mayChangeIt ? "" : !over ? (job.cancel_requested ? "" : html`<form method="post" action="${link(`${here}/cancel`)}">${csrfField(view)}<button class="quiet">${t("jobs.cancel")}</button></form>`) : job.state === "done" ? "" : retryForm(view, { id: job.job_id })}
    </div>`;
}

/** For a job that failed or was cancelled. */
export const retryForm = (view: View, { id }: { id: string }): Html =>
  html`<form method="post" action="${view.link(`${LIST}/${id}/retry`)}">${csrfField(view)}<button class="quiet">${view.t("jobs.retry")}</button></form>`;

/** Parameters and results of jobs that are useful to people. The API returns everything. */
const FACTS: Readonly<Record<string, MessageKey>> = {
  filename: "admin.import.file",
  type: "roles.kind",
  record_type: "roles.kind",
  rows_done: "jobFact.rows",
  created: "admin.import.created",
  updated: "admin.import.updated",
  unchanged: "admin.import.unchanged",
  skipped: "admin.import.skipped",
  rejected: "admin.import.rejected",
  trashed: "jobFact.trashed",
  restored: "jobFact.restored",
  left: "jobFact.left",
  links: "jobFact.links",
  records: "jobFact.records",
  removed: "jobFact.removed",
  failed: "jobFact.failed",
  prepared: "jobFact.prepared",
  broken: "jobFact.broken",
  named: "jobFact.named",
  files: "jobFact.files",
  bytes: "backups.size",
};

function factsOf({ t, formats }: View, all: Readonly<Record<string, unknown>>): [MessageKey, string][] {
  const written = (name: string, value: string | number): string => {
    if (typeof value === "number") return name === "bytes" ? formats.bytes(value) : formats.number(value);
    return (KINDS as readonly string[]).includes(value) ? t(`kind.${value as Kind}`) : value;
  };
  return Object.entries(FACTS).flatMap(([name, label]) => {
    const value = Object.hasOwn(all, name) ? all[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? [[label, written(name, value)]] : [];
  });
}
