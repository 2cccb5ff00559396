/** The reader's open work on the first page, as numbers that link to lists. */
import { html } from "hono/html";
import { mayDo, mayUse } from "../caller.ts";
import { icon } from "../pages/icons.ts";
import type { Html, PageView } from "../pages/view.ts";
import { countDue, DUE_WHEN, type DueWhen } from "../procedures/due.ts";
import { today } from "../procedures/move.ts";
import { countStopped } from "../records/batch/imports-list.ts";
import { KINDS, type Kind } from "../records/kinds.ts";
import { countListed } from "../records/read/list.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { lackOf } from "./lists/filter-kinds.ts";
import { listQueryOf } from "./lists/list-query.ts";
import { MY_DRAFTS, readListParams } from "./lists/params.ts";
import { duePath, importsPath, listPath } from "./sections.ts";

/** Counting more records of a kind takes too long. */
const MOST_COUNTED = 100_000;

/** `n`: null if not counted. */
type Waiting = { path: string; label: string; n: number | null };

/** @param sums the number of records of each kind */
export async function workSection(
  services: Services,
  view: PageView,
  sums: ReadonlyMap<Kind, number>,
): Promise<Html> {
  const { caller, t, formats, link } = view;
  const { sql } = services;
  const schema = await currentSchema(sql, view.settings.version);
  const kinds = KINDS.filter((kind) => (sums.get(kind) ?? 0) > 0 && mayDo(caller, "update", kind));
  const counted = async (kind: Kind, query: string): Promise<Waiting> => {
    const asked = readListParams(new URLSearchParams(query), schema, kind);
    const isCounted = query === MY_DRAFTS || sums.get(kind)! <= MOST_COUNTED;
    const n = isCounted
      ? await countListed(sql, caller, kind, (await listQueryOf(services, view, schema, kind, asked)).query)
      : null;
    return { path: `${listPath(kind)}?${query}`, label: t(`kind.${kind}`), n };
  };
  const countedDue = async (when: DueWhen): Promise<Waiting> => ({
    path: `${duePath}?when=${when}`,
    label: t(`due.${when}`),
    n: await countDue(sql, caller, today(), when),
  });
  const countedStopped = async (): Promise<Waiting> => ({
    path: importsPath,
    label: t("importState.failed"),
    n: await countStopped(sql),
  });
  const ofRequired = kinds.filter((kind) => lackOf(schema, kind, "required") !== null);
  const [stopped, due, drafts, lacking] = await Promise.all([
    Promise.all(mayUse(caller, "import:run") ? [countedStopped()] : []),
    Promise.all(mayDo(caller, "read", "procedure") ? DUE_WHEN.map(countedDue) : []),
    Promise.all(kinds.map((kind) => counted(kind, MY_DRAFTS))),
    Promise.all(ofRequired.map((kind) => counted(kind, "without=required"))),
  ]);
  const parts = [
    { title: t("admin.imports"), all: stopped },
    { title: t("admin.due"), all: due },
    { title: t("filter.myDrafts"), all: drafts },
    { title: t("filter.without.required"), all: lacking },
  ]
    .map(({ title, all }) => ({ title, all: all.filter(({ n }) => n !== 0) }))
    .filter(({ all }) => all.length > 0);
  const item = ({ path, label, n }: Waiting) =>
    html`<li><a href="${link(path)}">${path === importsPath || path.endsWith("overdue") ? icon("warning") : ""}${label}${n === null ? "" : html` <b>${formats.number(n)}</b>`}</a></li>`;
  return html`<section class="group" aria-labelledby="work"><h2 id="work">${t("desk.work")}</h2>
    ${
      parts.length === 0
        ? html`<p class="help">${t("desk.workNone")}</p>`
        : html`<dl class="work">${parts.map(({ title, all }) => html`<div><dt>${title}</dt><dd><ul>${all.map(item)}</ul></dd></div>`)}</dl>`
    }</section>`;
}
