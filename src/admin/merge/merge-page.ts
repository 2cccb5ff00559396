/** Merging one record into another: preview, merge and undo. */
import { html } from "hono/html";
import { demandAction } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { tallyOf } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds, oneOf } from "../../records/kinds.ts";
import { type Merged, type MergeWish, mergeRecord } from "../../records/merge/merge.ts";
import { countsOf } from "../../records/merge/routes.ts";
import type { Choices } from "../../records/merge/state.ts";
import { mergedTarget } from "../../records/merge/store.ts";
import { type Left, unmergeRecord } from "../../records/merge/undo.ts";
import { demandId } from "../../records/read/read.ts";
import { findRecord } from "../../records/read/store.ts";
import type { RecordRow } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { demandRow, faultsOf, idOf, refusal, refusalNote } from "../asked.ts";
import { faultsPlainly, namePlainly } from "../field-names.ts";
import { adminAnswer } from "../layout.ts";
import { titleOf } from "../record-names.ts";
import { duplicatesPath, listPath, mergePath, recordPath, unmergePath } from "../sections.ts";
import { leftList } from "./left.ts";
import { choicesIn, resultTable } from "./result.ts";

export function mergePageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one, singular } = kinds[kind];
    const access = { action: "update", also: "delete", kind } as const;

    page(api, pages, {
      path: mergePath(kind, "{id}"),
      summary: `What merging ${one} into another ${singular} would do, or has done`,
      access,
      show(view) {
        const into = view.c.req.query("into");
        const asking = { services, view, kind };
        return into === undefined ? doneAnswer(asking) : previewAnswer(asking, into, {});
      },
    });

    pageForm(api, pages, {
      path: mergePath(kind, "{id}"),
      summary: `Merge ${one} into another ${singular}`,
      access,
      async take(view, fields) {
        const asking = { services, view, kind };
        const id = idOf(view, kind);
        const into = intoOf(kind, fields.get("into") ?? "");
        const choices = choicesIn(fields);
        // another preview with these choices
        if (fields.has("look")) return previewAnswer(asking, into, choices);
        const wish: MergeWish = {
          into,
          fields: choices,
          expected: [Number(fields.get("version"))],
          intoVersion: Number(fields.get("into_version")),
        };
        try {
          await mergeRecord(services, view.caller, kind, id, wish, false);
        } catch (error) {
          return previewAnswer(asking, into, choices, refusal(error));
        }
        return redirectTo(view, mergePath(kind, id), "merge.done");
      },
    });

    pageForm(api, pages, {
      path: unmergePath(kind, "{id}"),
      summary: `Undo the merge of ${one}`,
      access,
      async take(view) {
        const asking = { services, view, kind };
        const id = idOf(view, kind);
        try {
          const { left } = await unmergeRecord(services, view.caller, kind, id, null);
          if (left.length > 0) return leftAnswer(asking, id, left);
        } catch (error) {
          return doneAnswer(asking, refusal(error));
        }
        return redirectTo(view, recordPath(kind, id), "merge.undone");
      },
    });
  }
}

const intoOf = (kind: Kind, asked: string): string => demandId(kind, asked).toLowerCase();

/** Who asks on which page, and about which kind. */
export type Asking = { services: Services; view: StaffView; kind: Kind };

function doneAnswer(asking: Asking, refused?: Problem): Promise<Response> {
  const id = idOf(asking.view, asking.kind);
  return mergedAnswer(asking, { ids: [id], undo: unmergePath(asking.kind, id), refused });
}

export const crumbs = ({ t, link }: View, kind: Kind): Html =>
  html`<p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a> <span aria-hidden="true">›</span> <a href="${link(duplicatesPath(kind))}">${t("duplicates.title")}</a></p>`;

async function previewAnswer(
  { services, view, kind }: Asking,
  asked: string,
  choices: Choices,
  refused?: Problem,
): Promise<Response> {
  for (const action of ["read", "update"] as const) demandAction(view.caller, action, kind);
  const { sql } = services;
  const from = await demandRow(services, view, kind);
  const into = await findRecord(sql, view.caller, kind, intoOf(kind, asked));
  if (!into)
    throw new Problem("not_found", said("problem.record.not_found", { kind: oneOf(kind), id: asked }));
  const schema = await currentSchema(sql);
  let plan: Merged | undefined;
  let problem = refused;
  try {
    const wish = { into: into.id, fields: choices, expected: null };
    plan = await mergeRecord(services, view.caller, kind, from.id, wish, true);
  } catch (error) {
    problem ??= refusal(error);
  }
  const { t, link } = view;
  const named = (row: RecordRow) => titleOf(view, schema, row) ?? t("style.untitled");
  const swap = `${link(mergePath(kind, into.id))}?into=${from.id}`;
  return adminAnswer(view, {
    at: listPath(kind),
    title: t("merge.title"),
    status: refused ? 409 : 200,
    content: html`<div>${crumbs(view, kind)}<h1>${t("merge.title")}</h1>
        <p class="lead">${t("merge.lead", { from: `${named(from)} (${from.idno})`, into: `${named(into)} (${into.idno})` })}</p>
        <p class="help">${t("merge.text")}</p></div>
      ${problem ? refusalNote(view, problem, faultsPlainly(view, schema, kind, faultsOf(problem))) : ""}
      ${
        plan || !refused
          ? html`<form method="post" class="stack" action="${link(mergePath(kind, from.id))}">${csrfField(view)}
        <input type="hidden" name="into" value="${into.id}"><input type="hidden" name="version" value="${from.version}"><input type="hidden" name="into_version" value="${into.version}">
        ${await resultTable(sql, view, schema, { goes: [from], stays: into, result: plan?.record }, choices)}
        ${plan ? tally(view, [plan]) : ""}
        <div class="row">${plan ? html`<button>${t("merge.run", { idno: into.idno })}</button>` : ""}<button class="quiet" name="look" value="yes">${t("merge.look")}</button></div></form>`
          : ""
      }
      <div class="row"><a class="button quiet" href="${swap}">${t("merge.swap", { idno: from.idno })}</a>
        <a class="button quiet" href="${link(duplicatesPath(kind))}">${t("merge.cancel")}</a>
      </div>`,
  });
}

export function tally(view: View, plans: readonly Merged[]): Html {
  const all = plans.map(countsOf);
  const sum = (name: keyof ReturnType<typeof countsOf>) => all.reduce((total, each) => total + each[name], 0);
  const { t } = view;
  return tallyOf(view, [
    [t("merge.count.links"), sum("links")],
    [t("merge.count.joined"), sum("links_joined")],
    [t("merge.count.media"), sum("media")],
    [t("merge.count.below"), sum("below")],
    [t("merge.count.referring"), sum("referring")],
  ]);
}

/** @param ids merged records: shows where they are now, and a button to undo the merge, at the address `undo` */
export async function mergedAnswer(
  { services: { sql }, view, kind }: Asking,
  { ids, undo, refused }: { ids: readonly string[]; undo: string; refused: Problem | undefined },
): Promise<Response> {
  const [id = ""] = ids;
  const target = await mergedTarget(sql, view.caller, id);
  const into = target && (await findRecord(sql, view.caller, kind, target.id));
  if (!into) throw new Problem("not_found", said("problem.merge.not_found", { kind: oneOf(kind), id }));
  const { t, link } = view;
  const heading = ids.length > 1 ? "merge.several" : "merge.title";
  const schema = await currentSchema(sql);
  const title = titleOf(view, schema, into) ?? t("style.untitled");
  return adminAnswer(view, {
    at: listPath(kind),
    title: t(heading),
    status: refused ? 409 : 200,
    content: html`<div>${crumbs(view, kind)}<h1>${t(heading)}</h1>
        <p class="lead">${t("merge.merged", { count: ids.length })} <a href="${link(recordPath(kind, into.id))}" dir="auto">${title} (${into.idno})</a></p>
        <p class="help">${t("merge.undoText")}</p></div>
      ${refused ? refusalNote(view, refused, faultsPlainly(view, schema, kind, faultsOf(refused))) : ""}
      <div class="row"><a class="button" href="${link(duplicatesPath(kind))}">${t("merge.next")}</a>
        <form method="post" action="${link(undo)}">${csrfField(view)}${ids.map((each) => html`<input type="hidden" name="merged/${each}" value="on">`)}<button class="quiet">${t("merge.undo")}</button></form></div>`,
  });
}

export async function leftAnswer(
  { services, view, kind }: Asking,
  id: string,
  left: readonly Left[],
): Promise<Response> {
  const { t, link } = view;
  const schema = await currentSchema(services.sql);
  return adminAnswer(view, {
    at: listPath(kind),
    title: t("merge.undone"),
    content: html`<div>${crumbs(view, kind)}<h1>${t("merge.undone")}</h1></div>
      ${leftList(view, left, (name) => namePlainly(view, schema, kind, name))}
      <p><a class="button" href="${link(recordPath(kind, id))}">${t("merge.open")}</a></p>`,
  });
}
