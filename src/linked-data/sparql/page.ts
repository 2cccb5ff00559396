/** The page /sparql: a query form, examples, and the results as a table. It works without scripts. */
import { html } from "hono/html";
import { PREFIXES } from "../../formats/rdf/patterns/names.ts";
import { said, say } from "../../messages/said.ts";
import { field } from "../../pages/forms.ts";
import { pageAnswer } from "../../pages/page.ts";
import { note } from "../../pages/parts.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { EXAMPLE_QUERIES } from "./examples.ts";

/** Most rows on a page. Programs get all rows. */
const MOST_ROWS = 1_000;
/** The most bytes of an answer shown on a page. */
const LARGEST_PAGE = 4 * 1024 * 1024;

type PageRequest = { baseUrl: string; query: string | null; found(): Promise<Response> };

/** @param request its `found` runs the query and returns results in JSON, or a graph as text */
export async function queryPage(view: PageView, request: PageRequest): Promise<Response> {
  const { query } = request;
  const { status, shown } = query === null ? { status: 200, shown: "" } : await shownOf(view, request);
  const { t, asset, nonce } = view;
  return pageAnswer(view, {
    title: t("sparql.title"),
    status,
    headers: { "Cache-Control": "no-store" },
    head: html`<link rel="stylesheet" href="${asset("sparql.css")}">
    <script type="module" src="${asset("sparql.js")}" nonce="${nonce}" data-hint="${t("sparql.hint")}"></script>`,
    content: html`
      <section class="stack sparql">
        <h1>${t("sparql.title")}</h1>
        <p>${t("sparql.lead")}</p>
        <form action="${view.link("/sparql")}" class="stack">
          ${field(view, { name: "query", label: t("sparql.query"), rows: 12, value: query ?? EXAMPLE_QUERIES[0]![1] })}
          <div class="row"><button>${t("sparql.run")}</button></div>
        </form>
      </section>
      ${shown}
      <section class="stack">
        <h2>${t("sparql.examples")}</h2>
        <ul>${EXAMPLE_QUERIES.map(
          ([key, text]) =>
            html`<li><a href="${view.link(`/sparql?query=${encodeURIComponent(text)}`)}">${t(key)}</a></li>`,
        )}</ul>
      </section>`,
  });
}

type Shown = { status: number; shown: Html };

async function shownOf(view: View, { baseUrl, found }: PageRequest): Promise<Shown> {
  try {
    const answer = await found();
    const text = await textOf(answer.body!);
    const isResult = answer.headers.get("Content-Type")?.includes("json");
    return {
      status: 200,
      shown: isResult
        ? table(view, baseUrl, JSON.parse(text) as Results)
        : html`<pre class="scroll" tabindex="0">${text}</pre>`,
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.status, shown: note("error", say(view.t, error.told), "alert") };
  }
}

async function textOf(content: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = content.getReader();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > LARGEST_PAGE) {
      await reader.cancel();
      throw new Problem("too_large", said("sparql.large"));
    }
    text += decoder.decode(value, { stream: true });
  }
}

type Term = { type: string; value: string; "xml:lang"?: string };
type Results = {
  head: { vars?: string[] };
  boolean?: boolean;
  results?: { bindings: Record<string, Term>[] };
};

function table(view: View, baseUrl: string, { head, boolean, results }: Results): Html {
  const { t } = view;
  if (boolean !== undefined) return note("information", t(boolean ? "answer.yes" : "answer.no"), "status");
  const names = head.vars ?? [];
  const rows = results?.bindings ?? [];
  const count = t("job.count.rows", { count: rows.length });
  return html`<section class="stack sparql">
    <h2>${count}</h2>
    ${rows.length > MOST_ROWS ? note("information", t("sparql.first", { count: MOST_ROWS })) : ""}
    <div class="scroll" tabindex="0" role="region" aria-label="${count}"><table>
      <thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows
        .slice(0, MOST_ROWS)
        .map(
          (row) => html`<tr>${names.map((name) => html`<td>${cell(view, baseUrl, row[name])}</td>`)}</tr>`,
        )}</tbody>
    </table></div>
  </section>`;
}

function cell({ link }: View, baseUrl: string, term: Term | undefined): Html | string {
  if (term === undefined) return "";
  const { type, value, "xml:lang": lang } = term;
  if (type !== "uri") return lang ? html`<span lang="${lang}">${value}</span> <small>${lang}</small>` : value;
  if (value.startsWith(`${baseUrl}/`)) {
    const path = value.slice(baseUrl.length);
    return html`<a href="${link(path)}">${path}</a>`;
  }
  return /^https?:/.test(value) ? html`<a href="${value}">${shortened(value)}</a>` : value;
}

/** The IRI with a prefix, as in a query. */
function shortened(iri: string): string {
  const known = Object.entries(PREFIXES).find(([, start]) => iri.startsWith(start));
  return known ? `${known[0]}:${iri.slice(known[1].length)}` : iri;
}
