/** Vocabularies: the list, the description of each, and its terms as a tree. */

import { html } from "hono/html";
import type { Caller } from "../../caller.ts";
import type { Api, Ctx } from "../../http/endpoint.ts";
import { csrfQuery, type Option } from "../../pages/forms.ts";
import type { Pages } from "../../pages/page.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { currentSchema } from "../../records/schema.ts";
import { maySeeVocabulary } from "../../records/visibility.ts";
import type { Sql } from "../../services.ts";
import { merged } from "../../vocabularies/shape.ts";
import { broaderOf, listTerms, type TermRow } from "../../vocabularies/terms/store.ts";
import {
  VocabularyDraftShape,
  VocabularyReplacementShape,
  vocabularyJson,
} from "../../vocabularies/terms/vocabulary-shape.ts";
import { listVocabularies, type VocabularyRow } from "../../vocabularies/terms/vocabulary-store.ts";
import {
  changeVocabulary,
  createVocabulary,
  demandVisibleVocabulary,
  removeVocabulary,
} from "../../vocabularies/terms/vocabulary-write.ts";
import { type Control, labelControl, nameControl } from "./controls.ts";
import { resourcePages } from "./resource-pages.ts";

export const VOCABULARIES = "/admin/vocabularies";
const access = { feature: "schemas:manage" };
/** The most terms on a page. In larger vocabularies people search. */
const MOST_TERMS = 2_000;

/** The vocabularies that this caller may see. */
async function seen(sql: Sql, caller: Caller): Promise<VocabularyRow[]> {
  const schema = await currentSchema(sql);
  return (await listVocabularies(sql)).filter(({ name }) => maySeeVocabulary(schema, caller, name));
}

export async function seenVocabularies(sql: Sql, { t, caller }: View): Promise<Option[]> {
  return (await seen(sql, caller))
    .map(({ name, label }) => ({ value: name, label: labelIn(label, t.language, name) }))
    .sort((a, b) => a.label.localeCompare(b.label, t.language));
}

/** The name of the vocabulary in the address. */
export const nameIn = ({ c }: { c: Ctx }): string => c.req.param("vocabulary") ?? "";
/** The vocabulary with this name; 404 if the caller may not see it. */
export const vocabularyIn = (sql: Sql, asked: { c: Ctx; caller: Caller }): Promise<VocabularyRow> =>
  demandVisibleVocabulary(sql, asked.caller, nameIn(asked));

export const vocabularyCrumb = ({ t, link }: View, { name, label }: VocabularyRow): Html =>
  html`<p class="crumbs"><a href="${link(`${VOCABULARIES}/${name}`)}">${t("terms.back")} <bdi>${labelIn(label, t.language, name)}</bdi></a></p>`;

export function vocabularyPages(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  resourcePages<VocabularyRow>(api, pages, {
    at: VOCABULARIES,
    list: VOCABULARIES,
    fresh: `${VOCABULARIES}/new-vocabulary`,
    item: `${VOCABULARIES}/{vocabulary}`,
    one: "a vocabulary",
    all: {
      many: "vocabularies",
      async content(view) {
        const { caller, t, link, formats } = view;
        const fields = [...(await currentSchema(sql)).fields.values()].flatMap((all) => [...all.values()]);
        const rows = await seen(sql, caller);
        return html`<p class="help">${t("vocabularies.lead")}</p>
          <div class="scroll" tabindex="0" role="region" aria-label="${t("vocabularies.title")}"><table>
            <thead><tr><th>${t("config.label")}</th><th>${t("config.name")}</th><th class="number">${t("vocabularies.terms")}</th><th>${t("vocabularies.usedBy")}</th></tr></thead>
            <tbody>${rows.map(
              (
                row,
              ) => html`<tr><td><a href="${link(`${VOCABULARIES}/${row.name}`)}" dir="auto">${labelIn(row.label, t.language, row.name)}</a></td>
                <td><code>${row.name}</code></td><td class="number">${formats.number(row.term_count)}</td>
                <td>${
                  fields
                    .filter(({ vocabulary }) => vocabulary === row.name)
                    .map(
                      (field) =>
                        `${t(`kind.${field.record_type}`)}${t("form.colon")} ${labelIn(field.label, t.language, field.name)}`,
                    )
                    .join(" · ") || "–"
                }</td></tr>`,
            )}</tbody></table></div>`;
      },
    },
    access,
    words: { list: "vocabularies.title", fresh: "vocabularies.new", remove: "vocabularies.remove" },
    folded: "vocabularies.about",
    title: ({ t }, { label, name }) => labelIn(label, t.language, name),
    controls: (view, current) => vocabularyControls(view, current === null),
    find: async (view) => vocabularyJson(await vocabularyIn(sql, view)),
    async create(_given, draft) {
      const { name } = await createVocabulary(services, merged(VocabularyDraftShape, {}, draft));
      return `${VOCABULARIES}/${name}`;
    },
    change: (view, patch, expected) =>
      changeVocabulary(services, nameIn(view), expected, (current) =>
        merged(VocabularyReplacementShape, vocabularyJson(current), patch),
      ),
    remove: (view, expected) => removeVocabulary(services, nameIn(view), expected),
    async below(view, { name, term_count }) {
      const q = view.c.req.query("q")?.trim().slice(0, 500) ?? "";
      const terms = await listTerms(sql, name, q ? { q } : {}, { limit: MOST_TERMS, offset: 0 });
      return html`${termSection(view, name, terms, term_count, q)}${exchange(view, name)}`;
    },
  });
}

function vocabularyControls(view: View, isNew: boolean): Control[] {
  const { t } = view;
  return [
    ...(isNew ? [nameControl(view)] : []),
    labelControl(view),
    { as: "texts", name: "description", label: t("vocabularies.description"), rows: 2 },
    { as: "text", name: "uri", label: t("vocabularies.uri"), help: t("vocabularies.uriHelp") },
  ];
}

function termSection(view: View, name: string, terms: readonly TermRow[], count: number, q: string): Html {
  const { t, link } = view;
  const here = `${VOCABULARIES}/${name}`;
  return html`<section class="group" id="terms" aria-labelledby="terms-title">
    <div class="heading"><h2 id="terms-title">${t("vocabularies.terms")}</h2><span class="row"><a href="${link(`${here}/duplicates`)}">${t("duplicates.title")}</a><a class="button" href="${link(`${here}/terms/new`)}">${t("terms.new")}</a></span></div>
    <form class="filters" role="search" action="${link(here)}#terms">
      <label class="wide"><span>${t("terms.find")}</span><input type="search" name="q" value="${q}" maxlength="500"></label><button class="quiet">${t("admin.filter")}</button></form>
    ${terms.length === 0 ? html`<p class="help">${t(q ? "terms.nothing" : "terms.none")}</p>` : tree(view, here, terms)}
    ${terms.length < MOST_TERMS || count <= MOST_TERMS ? "" : html`<p class="help">${t("terms.more", { shown: terms.length, count })}</p>`}
  </section>`;
}

/**
 * Shows each term below all its broader terms. A term without a broader term among these stands at the top. The tree unfolds a
 * term at its first place only, because there can be many more places than terms.
 */
function tree(view: View, here: string, terms: readonly TermRow[]): Html {
  const ids = new Set(terms.map(({ id }) => id));
  const below = new Map<string | null, TermRow[]>();
  for (const term of terms) {
    const above = broaderOf(term).filter((id) => ids.has(id));
    for (const id of above.length > 0 ? above : [null]) below.set(id, [...(below.get(id) ?? []), term]);
  }
  const unfolded = new Set<string>();
  const branchOnce = (id: string): Html | "" => {
    if (!below.has(id) || unfolded.has(id)) return "";
    unfolded.add(id);
    return branch(id);
  };
  const branch = (id: string | null): Html =>
    html`<ul${id === null ? html` class="terms"` : ""}>${below.get(id)!.map((term) => {
      const label = labelIn(term.label, view.t.language, term.value);
      return html`<li><a href="${view.link(`${here}/terms/${term.id}`)}" dir="auto">${label}</a>${
        label === term.value ? "" : html` <span class="help" dir="auto">${term.value}</span>`
      }${term.uri ? html` <small>${term.uri}</small>` : ""}${branchOnce(term.id)}</li>`;
    })}</ul>`;
  return branch(null);
}

/** SKOS export and import. */
function exchange(view: View, name: string): Html {
  const { t, link } = view;
  const here = link(`${VOCABULARIES}/${name}`);
  return html`<section class="group" aria-labelledby="skos"><h2 id="skos">SKOS</h2>
    <p>${t("skos.lead")}</p>
    <p class="row"><a class="button quiet" href="${here}/skos" download>${t("skos.export")}</a><a class="button quiet" href="${here}/skos?format=jsonld" download>JSON-LD</a></p>
    <form class="stack" method="post" enctype="multipart/form-data" action="${here}/skos${csrfQuery(view)}">
      <label class="field"><b>${t("skos.file")}</b><span class="help">${t("skos.fileHelp")}</span><input type="file" name="file" required accept=".ttl,.nt,text/turtle"></label>
      <button class="quiet">${t("skos.preview")}</button>
    </form></section>`;
}
