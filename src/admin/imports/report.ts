/** What a registrar should check after an import or test run: the report of the command line, on the page and as a text. */
import { html } from "hono/html";
import type { Account } from "../../caller.ts";
import { firstOf, type Section } from "../../imports/report/sections.ts";
import { readJobText } from "../../jobs/files.ts";
import { isOver, type Job } from "../../jobs/job.ts";
import { mayReadPreview } from "../../jobs/shown.ts";
import { say } from "../../messages/said.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Sql } from "../../services.ts";

/** The most lines of a section on the page. */
const SHOWN = 20;

type NameOf = (field: string) => string;

/** Null while the job runs, for jobs without a report, and for accounts that may not read the records in it. */
export async function sectionsFor(sql: Sql, account: Account, job: Job): Promise<Section[] | null> {
  if (!isOver(job) || job.kind !== "import" || !mayReadPreview(account, job)) return null;
  const text = await readJobText(sql, job.id, "report");
  return text === "" ? null : (JSON.parse(text) as { sections: Section[] }).sections;
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
  return html`${shown}<p><a href="${whole}" download>${t("admin.import.report")}</a></p>`;
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
