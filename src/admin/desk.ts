/** The first page for staff: the reader's open work, numbers of records, the latest changes, and the state of the service. */
import { html } from "hono/html";
import { mayDo } from "../caller.ts";
import type { HealthReport } from "../health/routes.ts";
import type { Api } from "../http/endpoint.ts";
import { say } from "../messages/said.ts";
import type { MessageKey } from "../messages/translate.ts";
import type { Pages } from "../pages/page.ts";
import { note, statusMark } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import { KINDS, type Kind, STATUSES, type Status } from "../records/kinds.ts";
import { countByStatus, type LastChange, lastChanges } from "../records/read/overview.ts";
import { currentSchema, type Schema } from "../records/schema.ts";
import { workSection } from "./desk-work.ts";
import { type Counts, countsOf, firstStepRoutes, firstSteps } from "./first-steps.ts";
import { adminAnswer } from "./layout.ts";
import { nameOf } from "./record-names.ts";
import { listPath, recordPath } from "./sections.ts";

const RECENT = 10;

export function deskRoutes(api: Api, pages: Pages, health: () => Promise<HealthReport>): void {
  const { sql } = api.services;
  firstStepRoutes(api, pages);
  page(api, pages, {
    path: "/admin",
    summary: "The first page for staff",
    access: "account",
    async show(view) {
      const { caller, t } = view;
      const [counted, changes, report] = await Promise.all([
        countByStatus(sql, caller),
        lastChanges(sql, caller, RECENT),
        health(),
      ]);
      const counts = countsOf(counted);
      const [steps, work] = await Promise.all([
        firstSteps(sql, view, counts),
        workSection(api.services, view, sumsOf(counts)),
      ]);
      return adminAnswer(view, {
        at: "/admin",
        title: t("desk.title"),
        content: html`<div class="heading"><h1>${t("desk.title")}</h1><p class="help">${t("desk.welcome", { email: caller.email })}</p></div>
          ${steps}
          <div class="desk">
            ${work}
            ${census(view, counts)}
            ${recent(view, await currentSchema(sql), changes)}
            ${service(view, report)}
          </div>`,
      });
    },
  });
}

const sumsOf = (counts: Counts): Map<Kind, number> =>
  new Map(
    [...counts].map(([kind, own]) => [kind, STATUSES.reduce((sum, status) => sum + (own[status] ?? 0), 0)]),
  );

function census(view: View, counts: Counts): Html {
  const { t, link, formats } = view;
  const kinds = KINDS.filter((kind) => mayDo(view.caller, "read", kind));
  if (kinds.length === 0) return html``;
  const sums = sumsOf(counts);
  return html`<section class="group"><h2 id="counts">${t("desk.counts")}</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="counts"><table class="census">
      <thead><tr><th>${t("roles.kind")}</th>${STATUSES.map((status) => html`<th class="number">${statusMark(view, status)}</th>`)}<th class="number">${t("desk.total")}</th><th><span class="hidden">${t("desk.counts")}</span></th></tr></thead>
      <tbody>${kinds.map((kind) => {
        const own = counts.get(kind) ?? {};
        const sum = sums.get(kind) ?? 0;
        const here = link(listPath(kind));
        return html`<tr><th scope="row"><a href="${here}">${t(`kind.${kind}`)}</a></th>${STATUSES.map(
          (status) =>
            own[status]
              ? html`<td class="number"><a href="${here}?status=${status}">${formats.number(own[status])}</a></td>`
              : html`<td class="number">–</td>`,
        )}<td class="number">${formats.number(sum)}</td><td>${bar(own, sum)}</td></tr>`;
      })}</tbody>
    </table></div></section>`;
}

/** The shares of the three statuses. The numbers next to the chart say the same. */
function bar(own: Partial<Record<Status, number>>, sum: number): Html {
  if (sum === 0) return html``;
  let at = 0;
  return html`<svg class="bar-chart" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${STATUSES.map(
    (status) => {
      const width = ((own[status] ?? 0) / sum) * 100;
      const x = at;
      at += width;
      return html`<rect class="${status}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"></rect>`;
    },
  )}</svg>`;
}

function recent(view: View, schema: Schema, changes: readonly LastChange[]): Html {
  const { t, link, formats } = view;
  return html`<section class="group" aria-labelledby="recent"><h2 id="recent">${t("desk.recent")}</h2>
    ${
      changes.length === 0
        ? html`<p class="help">${t("desk.recentNone")}</p>`
        : html`<ul class="recent">${changes.map(
            (one) => html`<li>
          <a href="${link(recordPath(one.record_type, one.id))}" dir="auto">${nameOf(view, schema, one)}</a>
          <small>${one.idno} · ${statusMark(view, one.status)} · <time datetime="${one.updated_at}Z">${formats.time(one.updated_at)}</time>${one.by ? ` · ${one.by}` : ""}</small>
        </li>`,
          )}</ul>`
    }</section>`;
}

function backupAge({ t }: View, hours: number | null): string {
  if (hours === null) return t("desk.backup.never");
  return hours < 1 ? t("desk.backup.fresh") : t("desk.backup.hours", { count: Math.floor(hours) });
}

function service(view: View, { checks, queue_backlog, backup_age_hours }: HealthReport): Html {
  const { t } = view;
  const faults = Object.entries(checks).filter(([, check]) => check !== "ok");
  const name = (key: string) => t(`desk.part.${key}` as MessageKey);
  const backup = backupAge(view, backup_age_hours);
  const isOld = backup_age_hours === null || backup_age_hours > 48;
  return html`<section class="group" aria-labelledby="service"><h2 id="service">${t("desk.service")}</h2>
    ${faults.length === 0 ? html`<p>${t("desk.well")}</p>` : note("error", html`<ul class="plain">${faults.map(([key, check]) => html`<li><b>${name(key)}</b>${t("form.colon")} ${say(t, check)}</li>`)}</ul>`)}
    ${isOld ? note("warning", backup) : html`<p>${backup}</p>`}
    ${queue_backlog > 0 ? html`<p class="help">${t("desk.waiting", { count: queue_backlog })}</p>` : ""}
    <ul class="plain"><li><a href="${view.link("/api/docs")}">${t("home.docs")}</a></li></ul>
  </section>`;
}
