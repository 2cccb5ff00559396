/** Merging several records into one: choosing the one that stays, the preview, and the merge in one transaction. */
import { html } from "hono/html";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { invalid, type Problem } from "../../problem.ts";
import { KINDS, kinds } from "../../records/kinds.ts";
import { type Merged, mergeRecords } from "../../records/merge/merge.ts";
import { mergedTarget } from "../../records/merge/store.ts";
import { type Left, unmergeRecord } from "../../records/merge/undo.ts";
import { findRecords } from "../../records/read/store.ts";
import type { RecordRow } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { faultsOf, refusal, refusalNote } from "../asked.ts";
import { faultsPlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../record-names.ts";
import { listPath, MOST_MERGED, recordPath } from "../sections.ts";
import { type Asking, crumbs, leftAnswer, mergedAnswer, tally } from "./merge-page.ts";
import { resultTable } from "./result.ts";

const VERSION = "version/";
const MERGED = "merged/";

export function mergeSeveralRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { many, one } = kinds[kind];
    const access = { action: "update", also: "delete", kind } as const;
    const path = `${listPath(kind)}/merge`;

    page(api, pages, {
      path,
      summary: `What merging several ${many} into one would do`,
      access,
      show(view) {
        const asking = { services, view, kind };
        const asked = new URL(view.c.req.url).searchParams;
        const done = asked.getAll("done").filter(isId);
        if (done.length > 0) return doneAnswer(asking, done);
        return severalAnswer(asking, { ids: asked.getAll("id"), into: asked.get("into") });
      },
    });

    pageForm(api, pages, {
      path: `${listPath(kind)}/unmerge`,
      summary: `Undo the merge of several ${many}`,
      access,
      async take(view, fields) {
        const asking = { services, view, kind };
        const ids = [...fields.keys()].flatMap((name) =>
          name.startsWith(MERGED) ? name.slice(MERGED.length) : [],
        );
        const left: Left[] = [];
        const rest = ids.filter(isId).slice(0, MOST_MERGED);
        const target = rest[0] && (await mergedTarget(services.sql, view.caller, rest[0]));
        // from the last to the first, because each merge builds on the previous one
        for (let id = rest.at(-1); id !== undefined; id = rest.at(-1)) {
          try {
            left.push(...(await unmergeRecord(services, view.caller, kind, id, null)).left);
          } catch (error) {
            return doneAnswer(asking, rest, refusal(error));
          }
          rest.pop();
        }
        if (target && left.length > 0) return leftAnswer(asking, target.id, left);
        const there = target ? recordPath(kind, target.id) : listPath(kind);
        return redirectTo(view, there, "merge.undone");
      },
    });

    pageForm(api, pages, {
      path,
      summary: `Merge several ${many} into ${one}`,
      access,
      async take(view, fields) {
        const asking = { services, view, kind };
        const versions = new Map(
          [...fields].flatMap(([name, version]) =>
            name.startsWith(VERSION) ? [[name.slice(VERSION.length), Number(version)] as const] : [],
          ),
        );
        const wish = { ids: [...versions.keys()], into: fields.get("into") ?? null };
        try {
          const { from, into } = await meant(asking, wish);
          const intoVersion = versions.get(into.id);
          const expected = from.map(({ id }) => ({ id, expected: [versions.get(id)!] }));
          const how = { into: into.id, intoVersion, fields: {} };
          await mergeRecords(services, view.caller, kind, expected, how, false);
          const done = new URLSearchParams(from.map(({ id }) => ["done", id]));
          return redirectTo(view, `${path}?${done}`, "merge.done");
        } catch (error) {
          return severalAnswer(asking, wish, refusal(error));
        }
      },
    });
  }
}

const isId = (id: string): boolean => IdShape.safeParse(id).success;

const doneAnswer = (asking: Asking, ids: readonly string[], refused?: Problem): Promise<Response> =>
  mergedAnswer(asking, { ids, undo: `${listPath(asking.kind)}/unmerge`, refused });

type Wish = { ids: readonly string[]; into: string | null };

/** The records in the order of the list. By default, the oldest one stays. */
async function meant({ services: { sql }, view, kind }: Asking, { ids, into: asked }: Wish) {
  const valid = ids.filter(isId).slice(0, MOST_MERGED + 1);
  const rows = await findRecords(sql, view.caller, kind, [...new Set(valid)]);
  if (rows.length < 2 || rows.length > MOST_MERGED)
    throw invalid([{ pointer: "/id", detail: said("fault.merge.several", { most: MOST_MERGED }) }]);
  const [oldest] = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)) as [RecordRow];
  const into = rows.find(({ id }) => id === asked) ?? oldest;
  return { into, from: rows.filter(({ id }) => id !== into.id) };
}

async function severalAnswer(asking: Asking, wish: Wish, refused?: Problem): Promise<Response> {
  const { services, view, kind } = asking;
  const { t, link } = view;
  const { from, into } = await meant(asking, wish);
  const schema = await currentSchema(services.sql);
  let plans: Merged[] = [];
  let problem = refused;
  try {
    const unchecked = from.map(({ id }) => ({ id, expected: null }));
    plans = await mergeRecords(services, view.caller, kind, unchecked, { into: into.id, fields: {} }, true);
  } catch (error) {
    problem ??= refusal(error);
  }
  const path = link(`${listPath(kind)}/merge`);
  const all = [...from, into].sort((a, b) => (a.id < b.id ? -1 : 1));
  const named = (row: RecordRow) => `${titleOf(view, schema, row) ?? t("style.untitled")} (${row.idno})`;
  return adminAnswer(view, {
    at: listPath(kind),
    title: t("merge.several"),
    status: refused ? 409 : 200,
    content: html`<div>${crumbs(view, kind)}<h1>${t("merge.several")}</h1><p class="help">${t("merge.text")}</p></div>
      ${problem ? refusalNote(view, problem, faultsPlainly(view, schema, kind, faultsOf(problem))) : ""}
      <form class="stack" action="${path}">${all.map(({ id }) => html`<input type="hidden" name="id" value="${id}">`)}
        <fieldset class="field"><legend>${t("merge.which")}</legend>${all.map((row) => html`<label class="tick"><input type="radio" name="into" value="${row.id}"${row.id === into.id ? html` checked` : ""}> <span dir="auto">${named(row)}</span></label>`)}</fieldset>
        <div class="row"><button class="quiet">${t("merge.look")}</button></div></form>
      ${await resultTable(services.sql, view, schema, { goes: from, stays: into, result: plans.at(-1)?.record }, null)}
      ${
        plans.length === 0
          ? ""
          : html`${tally(view, plans)}<form method="post" action="${path}">${csrfField(view)}
        <input type="hidden" name="into" value="${into.id}">${all.map(({ id, version }) => html`<input type="hidden" name="${VERSION}${id}" value="${version}">`)}
        <button>${t("merge.run", { idno: into.idno })}</button></form><p class="help">${t("merge.undoText")}</p>`
      }`,
  });
}
