/** /sparql for people: a query, examples, and what was found as a table. Works without scripts; its address is the query. */
import { html } from "hono/html";
import type { Ctx } from "../http/endpoint.ts";
import { field } from "../pages/forms.ts";
import { type PageParts, pageAnswer } from "../pages/page.ts";
import { note } from "../pages/parts.ts";
import type { Html, View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import { PREFIXES } from "./names.ts";

const prefixed = (query: string): string =>
  `PREFIX crm: <${PREFIXES.crm}>\nPREFIX rdfs: <${PREFIXES.rdfs}>\n\n${query}`;

const EXAMPLES = [
  [
    "sparql.example.objects",
    `SELECT ?object ?title {
  ?object a crm:E22_Human-Made_Object ; rdfs:label ?title
} ORDER BY ?title LIMIT 50`,
  ],
  [
    "sparql.example.makers",
    `SELECT ?maker ?name (COUNT(DISTINCT ?object) AS ?objects) {
  ?object crm:P108i_was_produced_by ?production .
  ?production crm:P9_consists_of?/crm:P14_carried_out_by ?maker .
  ?maker rdfs:label ?name
} GROUP BY ?maker ?name ORDER BY DESC(?objects) LIMIT 50`,
  ],
  [
    "sparql.example.classes",
    `SELECT ?class (COUNT(?thing) AS ?things) {
  ?thing a ?class
} GROUP BY ?class ORDER BY DESC(?things)`,
  ],
] as const;

/** As many rows as a page can hold; programs get all. */
const MOST_ROWS = 1_000;

/** @param found runs the query: results in JSON, or a graph as text */
export async function queryPage(
  c: Ctx,
  view: View,
  query: string | null,
  found: () => Promise<Response>,
): Promise<Response> {
  const { status, shown } = query === null ? { status: 200 as const, shown: "" } : await shownOf(view, found);
  const { t } = view;
  return pageAnswer(c, view, {
    title: t("sparql.title"),
    status,
    headers: { "Cache-Control": "no-store" },
    content: html`
      <section class="stack">
        <h1>${t("sparql.title")}</h1>
        <p>${t("sparql.lead")}</p>
        <form action="${view.link("/sparql")}" class="stack">
          ${field(view, { name: "query", label: t("sparql.query"), rows: 12, value: query ?? prefixed(EXAMPLES[0][1]) })}
          <div><button>${t("sparql.run")}</button></div>
        </form>
        <h2>${t("sparql.examples")}</h2>
        <ul>${EXAMPLES.map(
          ([key, text]) =>
            html`<li><a href="${view.link(`/sparql?query=${encodeURIComponent(prefixed(text))}`)}">${t(key)}</a></li>`,
        )}</ul>
      </section>
      ${shown}`,
  });
}

type Shown = { status: PageParts["status"]; shown: Html };

async function shownOf(view: View, found: () => Promise<Response>): Promise<Shown> {
  try {
    const answer = await found();
    const text = await answer.text();
    const isResult = answer.headers.get("Content-Type")?.includes("json");
    return {
      status: 200,
      shown: isResult ? table(view, JSON.parse(text) as Results) : html`<pre>${text}</pre>`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status as PageParts["status"], shown: note("error", error.message, "alert") };
  }
}

type Term = { type: string; value: string };
type Results = {
  head: { vars?: string[] };
  boolean?: boolean;
  results?: { bindings: Record<string, Term>[] };
};

function table({ t }: View, { head, boolean, results }: Results): Html {
  if (boolean !== undefined) return note("information", t(boolean ? "sparql.yes" : "sparql.no"), "status");
  const names = head.vars ?? [];
  const rows = results?.bindings ?? [];
  const count = t.counted("sparql.rows", rows.length);
  return html`<section class="stack">
    <h2>${count}</h2>
    ${rows.length > MOST_ROWS ? note("information", t("sparql.first", { count: MOST_ROWS })) : ""}
    <div class="scroll" tabindex="0" role="region" aria-label="${count}"><table>
      <thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows
        .slice(0, MOST_ROWS)
        .map((row) => html`<tr>${names.map((name) => html`<td>${cell(row[name])}</td>`)}</tr>`)}</tbody>
    </table></div>
  </section>`;
}

function cell(term: Term | undefined): Html | string {
  if (term === undefined) return "";
  return term.type === "uri" && /^https?:/.test(term.value)
    ? html`<a href="${term.value}">${term.value}</a>`
    : term.value;
}
