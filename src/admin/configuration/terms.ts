/** The terms of a vocabulary, one at a time or as SKOS. */
import { html } from "hono/html";
import { utf8Text } from "../../bytes.ts";
import { type Api, endpoint } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { csrfField, faultSummary } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import { pageForm, pageUpload } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import { type Fault, invalid, jsonPointer, type Problem } from "../../problem.ts";
import type { Sql } from "../../services.ts";
import { beginning } from "../../text.ts";
import { merged } from "../../vocabularies/shape.ts";
import { importSkos, LARGEST_SKOS, type SkosPlan } from "../../vocabularies/terms/skos.ts";
import { SKOS_FORMATS, skosOf } from "../../vocabularies/terms/skos-write.ts";
import { broaderOf, listTerms, type TermRow, termsAmong } from "../../vocabularies/terms/store.ts";
import { TermDraftShape, termJson } from "../../vocabularies/terms/vocabulary-shape.ts";
import type { VocabularyRow } from "../../vocabularies/terms/vocabulary-store.ts";
import { changeTerm, createTerm, demandTerm, removeTerm } from "../../vocabularies/terms/write.ts";
import { bytesOfForm, refusal, uuidIn } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, orderControl } from "./controls.ts";
import { faultsToShow, resourcePages } from "./resource-pages.ts";
import { mergeChoice } from "./term-merge.ts";
import { nameIn, VOCABULARIES, vocabularyCrumb, vocabularyIn } from "./vocabularies.ts";

const access = { feature: "schemas:manage" };
const VOCABULARY = `${VOCABULARIES}/{vocabulary}`;
const MOST_TERMS = 100_000;

export function termPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  resourcePages<TermRow>(api, pages, {
    at: VOCABULARIES,
    list: VOCABULARY,
    fresh: `${VOCABULARY}/terms/new`,
    item: `${VOCABULARY}/terms/{id}`,
    one: "a term",
    access,
    words: { list: "terms.back", fresh: "terms.new", remove: "terms.remove" },
    title: ({ t }, { label, value }) => labelIn(label, t.language, value),
    async controls(view) {
      const { name } = await vocabularyIn(sql, view);
      return termControls(view, name);
    },
    async find(view) {
      const { name } = await vocabularyIn(sql, view);
      return termJson(await demandTerm(sql, name, uuidIn(view, "id")));
    },
    shown: (_request, current) => withValues(sql, current),
    async create(view, draft) {
      const name = nameIn(view);
      await createTerm(services, name, merged(TermDraftShape, {}, await withIds(sql, name, draft)));
      return `${VOCABULARIES}/${name}#terms`;
    },
    async change(view, patch, expected) {
      const wish = await withIds(sql, nameIn(view), patch);
      return changeTerm(services, nameIn(view), uuidIn(view, "id"), expected, (current) =>
        merged(TermDraftShape, termJson(current), wish),
      );
    },
    remove: (view, expected) => removeTerm(services, nameIn(view), uuidIn(view, "id"), expected),
    below: mergeChoice,
  });
  skosPages(api, pages);
}

type Place = { broader_id?: string | null; also_broader?: string[] };

/** The term with the values of its broader terms instead of their ids, which people do not know. */
async function withValues(sql: Sql, term: TermRow) {
  const above = await termsAmong(sql, term.vocabulary, "id", broaderOf(term));
  const values = new Map(above.map(({ id, value }) => [id, value]));
  const called = (id: string) => values.get(id) ?? id;
  const { broader_id, also_broader } = term;
  return { ...term, broader_id: broader_id && called(broader_id), also_broader: also_broader.map(called) };
}

/** The reverse of `withValues`; 422 for a value that no term has. */
async function withIds(sql: Sql, vocabulary: string, wish: Record<string, unknown>) {
  const { broader_id = null, also_broader = [] } = wish as Place;
  const above = await termsAmong(sql, vocabulary, "value", broaderOf({ broader_id, also_broader }));
  const ids = new Map(above.map(({ id, value }) => [value, id]));
  const faults: Fault[] = [];
  const idOf = (value: string, ...place: string[]) => {
    const id = ids.get(value);
    const detail = said("fault.value.vocab", { value: beginning(value, 80), vocabulary });
    if (id === undefined) faults.push({ pointer: jsonPointer(...place), detail });
    return id;
  };
  const first = broader_id === null ? null : idOf(broader_id, "broader_id");
  const further = also_broader.map((value, place) => idOf(value, "also_broader", String(place)));
  if (faults.length > 0) throw invalid(faults);
  return { ...wish, broader_id: first, also_broader: further };
}

function termControls(view: View, terms: string): Control[] {
  const { t } = view;
  const several = { rows: 2, several: true } as const;
  return [
    {
      as: "text",
      name: "value",
      label: t("terms.value"),
      help: t("terms.valueHelp"),
      required: true,
      empty: "",
    },
    { as: "texts", name: "label", label: t("terms.labels"), help: t("terms.labelsHelp") },
    { as: "texts", name: "alt_label", label: t("terms.alt_label"), help: t("terms.altHelp"), ...several },
    {
      as: "texts",
      name: "hidden_label",
      label: t("terms.hidden_label"),
      help: t("terms.hiddenHelp"),
      ...several,
    },
    { as: "texts", name: "definition", label: t("terms.definition"), rows: 2 },
    { as: "texts", name: "scope_note", label: t("terms.scope_note"), rows: 2 },
    { as: "text", name: "uri", label: t("terms.uri"), help: t("terms.uriHelp") },
    { as: "text", name: "broader_id", label: t("terms.broader"), help: t("terms.broaderHelp"), terms },
    { as: "terms", name: "also_broader", label: t("terms.also_broader"), terms },
    orderControl(view),
  ];
}

function skosPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql, config } = services;

  endpoint(api, {
    method: "get",
    path: `${VOCABULARY}/skos`,
    tag: "pages",
    summary: "A vocabulary as SKOS",
    access,
    produces: [],
    page: true,
    answers: { 200: { description: "Turtle, or JSON-LD with ?format=jsonld" } },
    async handle({ c, caller }) {
      const vocabulary = await vocabularyIn(sql, { c, caller });
      const terms = await listTerms(sql, vocabulary.name, {}, { limit: MOST_TERMS, offset: 0 });
      const { type, ending, write } = SKOS_FORMATS[c.req.query("format") === "jsonld" ? "jsonld" : "turtle"];
      return c.body(write(skosOf(vocabulary, terms, config.baseUrl)), 200, {
        "Content-Type": type,
        "Content-Disposition": `attachment; filename="${vocabulary.name}.${ending}"`,
        "Cache-Control": "private, no-store",
      });
    },
  });

  pageUpload(api, pages, {
    path: `${VOCABULARY}/skos`,
    summary: "What a SKOS file would change in a vocabulary",
    access,
    async take(view) {
      const vocabulary = await vocabularyIn(sql, view);
      try {
        const text = await textIn(view);
        return planPage(view, vocabulary, text, await importSkos(services, vocabulary.name, text, true));
      } catch (error) {
        return planPage(view, vocabulary, null, null, refusal(error));
      }
    },
  });

  pageForm(api, pages, {
    path: `${VOCABULARY}/skos/import`,
    summary: "Import a SKOS file into a vocabulary",
    access,
    // percent-encoding makes characters outside ASCII three times as long
    limit: 3 * LARGEST_SKOS + 1024,
    async take(view, fields) {
      const vocabulary = await vocabularyIn(sql, view);
      try {
        const done = await importSkos(services, vocabulary.name, fields.get("skos") ?? "", false);
        if (done.unread.length > 0) return planPage(view, vocabulary, null, done);
        return redirectTo(view, `${VOCABULARIES}/${vocabulary.name}#terms`, "skos.done");
      } catch (error) {
        return planPage(view, vocabulary, null, null, refusal(error));
      }
    },
  });
}

/** The label of this member in the form. */
const nameOf = (view: View, member: keyof TermRow): string =>
  termControls(view, "").find(({ name }) => name === member)?.label ?? member;

/** The text of the uploaded file; 422 if it is not UTF-8. */
async function textIn(view: PageView): Promise<string> {
  const text = utf8Text(await bytesOfForm(view, LARGEST_SKOS));
  if (text === null) throw invalid([{ pointer: "/file", detail: said("fault.text.not_utf8") }]);
  return text;
}

/** The term with its planned changes, other names and broader terms. */
function plannedTerm(
  { t }: View,
  { value, alt_label, broader }: SkosPlan["added"][number],
  said: readonly string[],
): Html {
  const part = (name: string, texts: readonly string[]) =>
    texts.length === 0 ? "" : `${name}${t("form.colon")} ${texts.join(", ")}`;
  const parts = [
    said.join(", "),
    part(t("terms.alt_label"), Object.values(alt_label).flat()),
    part(t("terms.broader"), broader),
  ];
  return html`<span dir="auto">${value}</span> <span class="help" dir="auto">${parts.filter((each) => each !== "").join(" · ")}</span>`;
}

function planPage(
  view: PageView,
  vocabulary: VocabularyRow,
  /** The text to import; null if nothing more can be imported. */
  text: string | null,
  plan: SkosPlan | null,
  refused?: Problem,
): Promise<Response> {
  const { t, link } = view;
  const here = link(`${VOCABULARIES}/${vocabulary.name}`);
  const isNews = text !== null && plan !== null && plan.added.length + plan.changed.length > 0;
  const [title, told] =
    text === null && plan ? ([t("skos.done"), "did"] as const) : ([t("skos.preview"), "plan"] as const);
  return adminAnswer(view, {
    at: VOCABULARIES,
    title,
    status: refused?.status,
    content: html`<div>${vocabularyCrumb(view, vocabulary)}<h1>${title}</h1></div>
      ${faultSummary(view, [], faultsToShow(view, refused))}
      ${
        plan
          ? html`${note("information", html`<ul class="plain"><li>${t(`skos.${told}.added`, { count: plan.added.length })}</li><li>${t(`skos.${told}.changed`, { count: plan.changed.length })}</li><li>${t(`skos.${told}.same`, { count: plan.unchanged })}</li></ul>`)}
        ${isNews ? html`<form method="post" action="${here}/skos/import">${csrfField(view)}<input type="hidden" name="skos" value="${text}"><button>${t("skos.import")}</button></form>` : ""}
        ${plan.added.length === 0 ? "" : html`<section class="group"><h2>${t("skos.new")}</h2><ul class="terms">${plan.added.map((term) => html`<li>${plannedTerm(view, term, Object.values(term.label))}</li>`)}</ul></section>`}
        ${plan.changed.length === 0 ? "" : html`<section class="group"><h2>${t("skos.different")}</h2><ul class="terms">${plan.changed.map((term) => html`<li>${plannedTerm(view, term, [...new Set(term.what.map((each) => nameOf(view, each)))])}</li>`)}</ul></section>`}
        ${plan.unread.length === 0 ? "" : html`<section class="group"><h2>${t("skos.unread")}</h2><p class="help">${t("skos.unreadHelp")}</p><ul class="terms">${plan.unread.map(({ path, count, example }) => html`<li><code>${path}</code> ${t("skos.unreadCount", { count })} <span class="help" dir="auto">${example}</span></li>`)}</ul></section>`}`
          : ""
      }
      <p><a class="button quiet" href="${here}">${t("skos.back")}</a></p>`,
  });
}
