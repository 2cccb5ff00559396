/** Terms that may be duplicates, side by side; previewing, making and undoing a merge of two. */
import { html } from "hono/html";
import { tagOf } from "../../http/answer/resource-answers.ts";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { tallyOf } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, StaffView, View } from "../../pages/view.ts";
import { invalid, type Problem } from "../../problem.ts";
import type { PageOfPairs } from "../../records/duplicates/duplicates.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql } from "../../services.ts";
import { dismissTerms, listTermDuplicates, type TermDuplicate } from "../../vocabularies/merge/duplicates.ts";
import { mergeTerm, planTermMerge, type TermPlan } from "../../vocabularies/merge/merge.ts";
import { termCountsOf } from "../../vocabularies/merge/routes.ts";
import { findTermMerges } from "../../vocabularies/merge/store.ts";
import { unmergeTerm } from "../../vocabularies/merge/undo.ts";
import { broaderOf, type TermRow, termsAmong } from "../../vocabularies/terms/store.ts";
import { termJson } from "../../vocabularies/terms/vocabulary-shape.ts";
import type { VocabularyRow } from "../../vocabularies/terms/vocabulary-store.ts";
import { demandTerm } from "../../vocabularies/terms/write.ts";
import { refusal, refusalNote, uuidIn } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { leftList } from "../merge/left.ts";
import { decisions, mergesDone, pairsAnswer, pairsAsked, takeDecision } from "../merge/pairs.ts";
import { expectedOf } from "./resource-pages.ts";
import { VOCABULARIES, vocabularyCrumb, vocabularyIn } from "./vocabularies.ts";

const access = { feature: "schemas:manage" };
const VOCABULARY = `${VOCABULARIES}/{vocabulary}`;

const duplicatesOf = (vocabulary: string): string => `${VOCABULARIES}/${vocabulary}/duplicates`;
const mergeOf = ({ vocabulary, id }: Pick<TermRow, "vocabulary" | "id">): string =>
  `${VOCABULARIES}/${vocabulary}/terms/${id}/merge`;

export function termMergePages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  page(api, pages, {
    path: `${VOCABULARY}/duplicates`,
    summary: "Which terms may be one, and which were merged",
    access,
    async show(view) {
      const { t, link } = view;
      const vocabulary = await vocabularyIn(sql, view);
      const { name } = vocabulary;
      const asked = pairsAsked(view);
      const found = await withinLimit(api, view, () => listTermDuplicates(services, name, asked));
      const above = await valuesAbove(
        sql,
        name,
        found.items.flatMap(({ terms }) => terms),
      );
      const about = {
        at: VOCABULARIES,
        here: link(duplicatesOf(name)),
        crumbs: vocabularyCrumb(view, vocabulary),
        text: t("termMerge.text"),
        noneText: t("termMerge.noneText"),
        above: mergesDone(
          view,
          await findTermMerges(sql, name),
          (id) => `${VOCABULARIES}/${name}/terms/${id}/unmerge`,
        ),
      };
      const items = found.items.map((item) => pair(view, name, item, above, asked));
      return pairsAnswer(view, about, asked, { ...found, items });
    },
  });

  pageForm(api, pages, {
    path: `${VOCABULARY}/duplicates`,
    summary: "Say that two terms are not one, or may be one after all",
    access,
    async take(view, fields) {
      const { name } = await vocabularyIn(sql, view);
      return takeDecision(view, duplicatesOf(name), fields, (ids, isDismissed) =>
        dismissTerms(services, view.caller, name, ids, isDismissed),
      );
    },
  });

  page(api, pages, {
    path: `${VOCABULARY}/terms/{id}/merge`,
    summary: "What merging a term into another one would do",
    access,
    show: async (view) => preview(services, view, await vocabularyIn(sql, view)),
  });

  pageForm(api, pages, {
    path: `${VOCABULARY}/terms/{id}/merge`,
    summary: "Merge a term into another one",
    access,
    async take(view, fields) {
      const vocabulary = await vocabularyIn(sql, view);
      const { name } = vocabulary;
      const into = fields.get("into") ?? "";
      try {
        const wish = { into: await idIn(sql, name, into), expected: expectedOf(fields) };
        await mergeTerm(services, view.caller, name, uuidIn(view, "id"), wish);
      } catch (error) {
        return preview(services, view, vocabulary, refusal(error));
      }
      return redirectTo(view, duplicatesOf(name), "termMerge.done");
    },
  });

  pageForm(api, pages, {
    path: `${VOCABULARY}/terms/{id}/unmerge`,
    summary: "Undo the merge of a term",
    access,
    async take(view) {
      const vocabulary = await vocabularyIn(sql, view);
      const { name } = vocabulary;
      const { t, link } = view;
      const show = (title: string, content: Html, status: 200 | 409 = 200) =>
        adminAnswer(view, {
          at: VOCABULARIES,
          title,
          status,
          content: html`<div>${vocabularyCrumb(view, vocabulary)}<h1>${title}</h1></div>${content}
            <p><a class="button quiet" href="${link(duplicatesOf(name))}">${t("merge.cancel")}</a></p>`,
        });
      try {
        const { left } = await unmergeTerm(services, view.caller, name, uuidIn(view, "id"), null);
        if (left.length > 0)
          return show(
            t("merge.undone"),
            leftList(view, left, (each) => each),
          );
      } catch (error) {
        return show(t("merge.undo"), refusalNote(view, refusal(error)), 409);
      }
      return redirectTo(view, duplicatesOf(name), "merge.undone");
    },
  });
}

/** On the page of a term: chooses another term by its value. */
export const mergeChoice = (view: View, term: TermRow): Html =>
  html`<section class="group" aria-labelledby="merge"><h2 id="merge">${view.t("termMerge.title")}</h2>
    <form class="filters" action="${view.link(mergeOf(term))}">
      <label class="wide"><span>${view.t("termMerge.into")}</span><input name="into" required maxlength="500" data-terms="${term.vocabulary}" autocomplete="off"></label>
      <button class="quiet">${view.t("merge.button")}</button></form></section>`;

/** Finds the term by its id or value; 422 if there is none. */
async function idIn(sql: Sql, vocabulary: string, given: string): Promise<string> {
  const id = IdShape.safeParse(given).data;
  const [found] = await termsAmong(sql, vocabulary, id ? "id" : "value", [id ?? given.trim()]);
  if (found) return found.id;
  throw invalid([
    { pointer: "/into", detail: said("fault.value.vocab", { value: given.slice(0, 80), vocabulary }) },
  ]);
}

async function valuesAbove(sql: Sql, vocabulary: string, terms: readonly TermRow[]) {
  const above = await termsAmong(sql, vocabulary, "id", terms.flatMap(broaderOf));
  return new Map(above.map(({ id, value }) => [id, value]));
}

/** Facts that help to decide whether two terms are the same, side by side. */
function beside(
  { t, link }: View,
  terms: readonly (TermRow & { head?: string })[],
  above: ReadonlyMap<string, string>,
): Html {
  const texts = (all: Readonly<Record<string, string | string[]>>) =>
    Object.entries(all)
      .flatMap(([lang, each]) => [each].flat().map((text) => (lang === "und" ? text : `${text} (${lang})`)))
      .join(" · ");
  const rows: [string, (term: TermRow) => string][] = [
    [t("terms.labels"), ({ label }) => texts(label)],
    [t("terms.alt_label"), ({ alt_label }) => texts(alt_label)],
    [
      t("terms.broader"),
      (term) =>
        broaderOf(term)
          .flatMap((id) => above.get(id) ?? [])
          .join(" · "),
    ],
    [t("terms.definition"), ({ definition }) => texts(definition)],
    [t("terms.scope_note"), ({ scope_note }) => texts(scope_note)],
    [t("terms.uri"), ({ uri }) => uri ?? ""],
  ];
  const shown = rows.filter(([, textOf]) => terms.some((term) => textOf(term) !== ""));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${terms.map(({ value }) => value).join(", ")}"><table class="compared">
    <thead><tr><td></td>${terms.map(({ id, vocabulary, value, head }) => html`<th scope="col">${head === undefined ? "" : html`<small>${head}</small> `}<a href="${link(`${VOCABULARIES}/${vocabulary}/terms/${id}`)}" dir="auto">${value}</a></th>`)}</tr></thead>
    <tbody>${shown.map(([label, textOf]) => html`<tr><th scope="row">${label}</th>${terms.map((term) => html`<td dir="auto">${textOf(term) || "–"}</td>`)}</tr>`)}</tbody></table></div>`;
}

function pair(
  view: View,
  name: string,
  { terms, reason }: TermDuplicate,
  above: ReadonlyMap<string, string>,
  asked: PageOfPairs,
): Html {
  const { t, link } = view;
  const [one, other] = terms;
  const oneLabel = labelIn(one.label, t.language, one.value);
  const otherLabel = labelIn(other.label, t.language, other.value);
  const isSame = oneLabel === otherLabel;
  // by default, the older term stays, or the only one with an address
  const [stays, goes] = one.uri === null && other.uri !== null ? [other, one] : [one, other];
  const choice = {
    here: link(duplicatesOf(name)),
    merge: `${link(mergeOf(goes))}?into=${stays.id}`,
    ids: [one.id, other.id],
    what: isSame ? { one: one.value, other: other.value } : { one: oneLabel, other: otherLabel },
  };
  return html`<section class="group"><h2>${t(`termMerge.reason.${reason}`)}</h2>${beside(view, terms, above)}${decisions(view, choice, asked)}</section>`;
}

async function preview(
  services: Services,
  view: StaffView,
  vocabulary: VocabularyRow,
  refused?: Problem,
): Promise<Response> {
  const { sql } = services;
  const { name } = vocabulary;
  const { c, t, link } = view;
  const from = await demandTerm(sql, name, uuidIn(view, "id"));
  let plan: TermPlan | undefined;
  let problem = refused;
  try {
    const into = await idIn(sql, name, c.req.query("into") ?? "");
    const wish = { into, expected: null };
    plan = await planTermMerge(services, view.caller, name, from.id, wish);
  } catch (error) {
    problem ??= refusal(error);
  }
  const parts = plan && [
    { ...from, head: t("merge.goes") },
    { ...plan.before, head: t("merge.stays") },
    { ...plan.after, head: t("merge.result") },
  ];
  const counts = plan && termCountsOf(plan);
  return adminAnswer(view, {
    at: VOCABULARIES,
    title: t("termMerge.title"),
    status: refused?.status,
    content: html`<div>${vocabularyCrumb(view, vocabulary)}<h1>${t("termMerge.title")}</h1>
        ${plan ? html`<p class="lead">${t("merge.lead", { from: from.value, into: plan.before.value })}</p>` : ""}
        <p class="help">${t("termMerge.help")}</p></div>
      ${problem ? refusalNote(view, problem) : ""}
      ${parts ? beside(view, parts, await valuesAbove(sql, name, parts)) : ""}
      ${
        counts
          ? tallyOf(view, [
              [t("termMerge.records"), counts.records],
              [t("termMerge.links"), counts.links],
              [t("merge.count.joined"), counts.links_joined],
              [t("termMerge.below"), counts.below],
            ])
          : ""
      }
      <div class="row">${
        plan
          ? html`<form method="post" action="${link(mergeOf(from))}?into=${plan.before.id}">${csrfField(view)}<input type="hidden" name="into" value="${plan.before.id}"><input type="hidden" name="tag" value="${(await tagOf(termJson(from))).replaceAll('"', "")}"><button>${t("merge.run", { idno: plan.before.value })}</button></form>
            <a class="button quiet" href="${link(mergeOf(plan.before))}?into=${from.id}">${t("merge.swap", { idno: from.value })}</a>`
          : ""
      }<a class="button quiet" href="${link(duplicatesOf(name))}">${t("merge.cancel")}</a></div>`,
  });
}
