/** Parts of the pages of jobs that change records: how far they are, why they failed, and which records are concerned. */
import { html } from "hono/html";
import type { Job } from "../../jobs/job.ts";
import type { jobFor } from "../../jobs/shown.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import { recordPath } from "../sections.ts";

/** The job as its reader may see it. */
export type Shown = ReturnType<typeof jobFor>;

/** The most records that a section names. */
export const MOST_SHOWN = 50;

export function underWay({ t }: View, { done, total }: Job, told: string): Html {
  const share = total ? Math.min(1, done / total) : null;
  return html`<div class="stack narrow"><p>${told}</p>
    <progress ${share === null ? "" : html`value="${share.toFixed(3)}"`} aria-label="${t("admin.import.progress")}"></progress>
    <p class="help">${t("admin.import.leave")}</p></div>`;
}

export const failed = ({ t }: View, { state }: Job, { reason }: Shown): Html =>
  note(
    "error",
    html`<p>${t(state === "cancelled" ? "admin.import.cancelled" : "admin.import.failed")}</p>${reason ? html`<p>${reason}</p>` : ""}`,
    "alert",
  );

export type Concerned = { id: string; record_type: Kind; idno: string; title: string; reason?: string };

/**
 * Records of a result, each with the reason if there is one; empty if none is named.
 * @param all how many there are
 * @param isTrashed they have no page any more
 */
export function recordsSection(
  view: View,
  title: string,
  named: unknown,
  all: number,
  isTrashed = false,
): Html {
  if (!Array.isArray(named) || named.length === 0) return html``;
  const { t, link } = view;
  const shown = (named as Concerned[]).slice(0, MOST_SHOWN);
  const hasReasons = shown.some(({ reason }) => reason !== undefined);
  return html`<section class="group"><h2>${title}</h2>
    ${all > shown.length ? html`<p class="help">${t("bulk.shown", { shown: shown.length, all })}</p>` : ""}
    <div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
    <thead><tr><th>${t("admin.number")}</th><th>${t("admin.name")}</th>${hasReasons ? html`<th>${t("admin.import.why")}</th>` : ""}</tr></thead>
    <tbody>${shown.map(
      ({ id, record_type, idno, title, reason }) =>
        html`<tr><td class="nowrap">${isTrashed ? idno : html`<a href="${link(recordPath(record_type, id))}">${idno}</a>`}</td><td dir="auto">${title || t("style.untitled")}</td>${hasReasons ? html`<td>${reason}</td>` : ""}</tr>`,
    )}</tbody></table></div></section>`;
}
