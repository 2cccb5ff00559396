/** What a registrar should check after an import or test run: the report of the command line, on the page and as a text, and why rows were refused. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import type { ChangedRecord } from "../../imports/report/changed-records.ts";
import { linesOf, type Refusal } from "../../imports/report/refusals.ts";
import { firstOf, type Section } from "../../imports/report/sections.ts";
import { readJobText } from "../../jobs/files.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { mayReadPreview } from "../../jobs/shown.ts";
import { say } from "../../messages/said.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql } from "../../services.ts";
import { recordPath } from "../sections.ts";

/** The most lines of a section, and reasons for refusal, on the page. */
const SHOWN = 20;
const MOST_REASONS = 50;
const MOST_CHANGED = 50;

type NameOf = (field: string) => string;

/** `refused`, `changed_records`: none in reports of earlier versions. */
type Report = { sections: Section[]; refused?: Refusal[]; changed_records?: ChangedRecord[] };

/** Null while the job runs, for jobs without a report, and for accounts that may not read the records in it. */
export async function reportOf(sql: Sql, account: Account, job: Job): Promise<Report | null> {
  if (!isOver(job) || job.kind !== "import" || !mayReadPreview(account, job)) return null;
  const text = await readJobText(sql, job.id, "report");
  return text === "" ? null : (JSON.parse(text) as Report);
}

/** @param whole address of the full report */
export function reportNotes({ t }: View, sections: readonly Section[], whole: string, nameOf: NameOf): Html {
  if (sections.length === 0) return html``;
  const shown = sections.map((section) => {
    const { text, items, more } = firstOf(section, SHOWN);
    const lines = [...items, ...(more ? [more] : [])].map(
      (line) => html`<li dir="auto">${say(t, line, nameOf)}</li>`,
    );
    return note(
      "warning",
      html`<p>${say(t, text, nameOf)}</p>${lines.length > 0 ? html`<ul class="plain">${lines}</ul>` : ""}`,
    );
  });
  return html`${shown}<p><a href="${whole}?lang=${t.language}" download>${t("admin.import.report")}</a></p>`;
}

export function refusedTable({ t, formats }: View, refused: readonly Refusal[], nameOf: NameOf): Html {
  if (refused.length === 0) return html``;
  return html`<section class="group"><h2>${t("admin.import.rejected")}</h2><div class="scroll" tabindex="0" role="region" aria-label="${t("admin.import.rejected")}"><table>
    <thead><tr><th class="number">${t("admin.import.rows")}</th><th class="number">${t("admin.import.line")}</th><th>${t("admin.import.why")}</th></tr></thead>
    <tbody>${refused
      .slice(0, MOST_REASONS)
      .flatMap((refusal) =>
        linesOf(refusal).map(
          ({ line, reason }, at) =>
            html`<tr><td class="number">${at === 0 ? formats.number(refusal.rows) : ""}</td><td class="number">${line}</td><td>${say(t, reason, nameOf)}</td></tr>`,
        ),
      )}</tbody></table></div>
    ${refused.length > MOST_REASONS ? html`<p class="help">${t("bulk.shown", { shown: MOST_REASONS, all: refused.length })}</p>` : ""}</section>`;
}

/** The records that change, each with a link. @param all how many there are */
export function changedList(
  { t, link }: View,
  kind: Kind,
  changed: readonly ChangedRecord[],
  all: number,
): Html {
  if (changed.length === 0) return html``;
  const shown = changed.slice(0, MOST_CHANGED);
  return html`<section class="group"><h2>${t("bulk.wouldChange")}</h2>
    ${all > shown.length ? html`<p class="help">${t("bulk.shown", { shown: shown.length, all })}</p>` : ""}
    <ul class="row plain">${shown.map(({ id, idno }) => html`<li><a href="${link(recordPath(kind, id))}">${idno}</a></li>`)}</ul></section>`;
}

/** The sections with all their lines. */
export const reportText = ({ t }: View, sections: readonly Section[], nameOf: NameOf): string =>
  sections.length === 0
    ? `${t("admin.import.nothingToCheck")}\r\n`
    : sections
        .map(({ text, items, more }) =>
          [text, ...items, ...(more ? [more] : [])]
            .map((line, at) => `${at > 0 ? "  " : ""}${say(t, line, nameOf)}\r\n`)
            .join(""),
        )
        .join("\r\n");
