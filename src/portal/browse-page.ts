/** Ways into the catalogue: by people, places, periods, materials, and whatever else is a facet of it. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import type { Api, Ctx } from "../http/endpoint.ts";
import { inTurn } from "../http/turns.ts";
import { labelIn } from "../pages/labels.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import { currentSchema, type Field } from "../records/schema.ts";
import { searchFor } from "../search/search.ts";
import { byLetter, type Letter, letterMenu } from "./letters.ts";
import { INDEXED_KINDS, nameIndexPage } from "./names-page.ts";
import { type Asked, readAsked, searchAddress, searchOf } from "./search-address.ts";
import {
  type Counts,
  countKinds,
  facetFields,
  listedFields,
  namesOf,
  SUBTYPE_KEYS,
} from "./search-facets.ts";

/** Values of a field that the overview names. */
const FEW = 8;
/** Values of a field that are listed at all, the most frequent. */
const MOST = 5_000;
/** From this on a page has one letter. */
const LONG = 300;

const NOTHING: Asked = readAsked(new URLSearchParams());

export function browsePageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const search = (c: Ctx, asked: Asked, facets: readonly string[], mostValues?: number) =>
    searchFor(services, VISITOR, {
      ...searchOf(asked, facets, 1),
      languages: [],
      requestId: c.get("requestId"),
      ...(mostValues === undefined ? {} : { mostValues }),
    });

  page(api, pages, {
    path: "/browse",
    summary: "Ways into what is public",
    access: "public",
    isKept: true,
    async show({ c, view, caller }) {
      const schema = await currentSchema(services.sql, view.settings.version);
      const fields = listedFields(facetFields(schema, ""));
      const names = fields.map(({ name }) => name);
      const found = await inTurn(api, c, caller, () => search(c, NOTHING, [...SUBTYPE_KEYS, ...names]));
      return pageAnswer(c, view, {
        title: view.t("browse.title"),
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}">`,
        content: await overview(services, view, fields, found.facets, found.degraded),
        headers: found.degraded ? { "Cache-Control": "no-store" } : {},
      });
    },
  });

  page(api, pages, {
    path: "/browse/{field}",
    summary: "What is public by one of its fields, or by name",
    access: "public",
    isKept: true,
    async show({ c, view, caller }) {
      const name = c.req.param("field") ?? "";
      const kind = INDEXED_KINDS.find((each) => each.path === name)?.kind;
      if (kind) return inTurn(api, c, caller, () => nameIndexPage(services, c, view, kind));
      const schema = await currentSchema(services.sql, view.settings.version);
      const field = facetFields(schema, "").find((each) => each.name === name && each.field_type !== "date");
      if (!field) throw new Problem("not_found", `There is nothing to browse by ${name.slice(0, 80)}`);
      const found = await inTurn(api, c, caller, () => search(c, NOTHING, [name], MOST));
      const label = labelIn(field.label, view.t.language, name);
      return pageAnswer(c, view, {
        title: `${label} · ${view.t("browse.title")}`,
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}">`,
        content: await valueIndex(services, view, label, field, found.facets, c.req.query("letter")),
        headers: found.degraded ? { "Cache-Control": "no-store" } : {},
      });
    },
  });
}

type Services = Api["services"];

const valueLink = (view: View, field: string, value: string): string =>
  view.link(searchAddress({ filters: [[`meta_${field}`, value]] }));

async function overview(
  { sql }: Services,
  view: View,
  fields: readonly Field[],
  counts: Counts,
  degraded: boolean,
): Promise<Html> {
  const { t, link, formats } = view;
  if (degraded) return note("warning", t("search.degraded"), "status");
  const names = await namesOf(sql, t, counts, []);
  const kinds = new Map(countKinds(counts).map(({ kind, count }) => [kind, count]));
  const way = (path: string, words: string, count: number) =>
    count === 0 ? [] : [html`<li><a href="${link(path)}">${words} <b>${formats.number(count)}</b></a></li>`];
  const shown = fields.filter(({ name }) => (counts[name] ?? []).length > 0);
  if ([...kinds.values()].every((count) => count === 0))
    return emptyState(t("browse.none"), t("home.emptyText"));
  return html`<section class="stack">
      <h1>${t("browse.title")}</h1>
      <p class="lead">${t("browse.lead")}</p>
      <ul class="counts">
        ${INDEXED_KINDS.map(({ kind, path }) => way(`/browse/${path}`, t(`kind.${kind}`), kinds.get(kind) ?? 0))}
        ${way("/collections", t("kind.collection"), kinds.get("collection") ?? 0)}
        ${way("/timeline", t("timeline.title"), kinds.get("object") ?? 0)}
      </ul>
    </section>
    <div class="shelves">${shown.map(
      ({ name, label }) => html`<section>
        <h2><a href="${link(`/browse/${name}`)}">${labelIn(label, t.language, name)}</a></h2>
        <ul>${counts[name]!.slice(0, FEW).map(
          ({ value, count }) =>
            html`<li><a href="${valueLink(view, name, value)}" rel="nofollow" dir="auto">${names(name, value)}</a> <small>${formats.number(count)}</small></li>`,
        )}</ul>
      </section>`,
    )}</div>`;
}

async function valueIndex(
  { sql }: Services,
  view: View,
  label: string,
  { name }: Field,
  counts: Counts,
  asked: string | undefined,
): Promise<Html> {
  const { t, link, formats } = view;
  const names = await namesOf(sql, t, counts, []);
  const counted = counts[name] ?? [];
  const values = counted.map((each) => ({ ...each, label: names(name, each.value) }));
  const letters = byLetter(t.language, values);
  const isLong = values.length > LONG;
  const chosen = isLong ? (letters.find(({ letter }) => letter === asked) ?? letters[0]) : undefined;
  const shown: Letter<(typeof values)[number]>[] = chosen ? [chosen] : letters;
  return html`<section class="stack">
    <p class="crumbs"><a href="${link("/browse")}">${t("browse.title")}</a></p>
    <h1>${label}</h1>
    ${values.length === 0 ? emptyState(t("browse.none"), t("home.emptyText")) : ""}
    ${
      isLong
        ? letterMenu(
            view,
            letters.map(({ letter }) => letter),
            chosen?.letter,
            (letter) => link(`/browse/${name}?${new URLSearchParams({ letter })}`),
          )
        : ""
    }
    ${counted.length >= MOST ? html`<p class="help">${t("browse.most", { count: MOST })}</p>` : ""}
    <div class="index">${shown.map(
      ({ letter, items }) =>
        html`<section><h2>${letter}</h2><ul>${items.map(
          (item) =>
            html`<li><a href="${valueLink(view, name, item.value)}" rel="nofollow" dir="auto">${item.label}</a> <small>${formats.number(item.count)}</small></li>`,
        )}</ul></section>`,
    )}</div>
  </section>`;
}
