/** The overview for browsing: people, places, periods, materials and all other facets. */

import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api } from "../http/endpoint.ts";
import { said } from "../messages/said.ts";
import { alternates } from "../pages/alternates.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import { labelText, named, type Text, text } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import { Problem } from "../problem.ts";
import { findCollectionCovers, findCovers, latestDepictions } from "../records/media/store.ts";
import { idsBelow } from "../records/read/store.ts";
import { currentSchema, type Field } from "../records/schema.ts";
import { highlights, tile } from "./cards.ts";
import { byLetter, type Letter, letterMenu } from "./letters.ts";
import { INDEXED_KINDS, kindAddress, nameIndexPage } from "./names-page.ts";
import { OFFERED, SUBTYPE_KEYS, searchAddress } from "./search/address.ts";
import { type Counts, countKinds, facetFields, listedFields, namesOf } from "./search/facets.ts";
import { visitorSearch } from "./search/visitor-search.ts";

/** The most values of a field in the overview. */
const FEW = 8;
/** The most values on a field's own page, the most frequent ones. */
const MOST = 5_000;
/** Longer lists have one page for each letter. */
const LONG = 300;

export function browsePageRoutes(api: Api, pages: Pages): void {
  const { services } = api;

  page(api, pages, {
    path: "/browse",
    summary: "Ways into what is public",
    access: "public",
    isCached: true,
    async show(view) {
      const schema = await currentSchema(services.sql, view.settings.version);
      const fields = listedFields(facetFields(schema, ""));
      const names = fields.map(({ name }) => name);
      const search = visitorSearch(services, view);
      const found = await withinLimit(api, view, () => search.find({}, [...SUBTYPE_KEYS, ...names]));
      return pageAnswer(view, {
        title: view.t("browse.title"),
        head: browseHead(services, view, "/browse"),
        content: await overview(services, view, fields, found.facets, found.degraded),
        headers: search.headers(),
      });
    },
  });

  page(api, pages, {
    path: "/browse/{field}",
    summary: "What is public by one of its fields, or by name",
    access: "public",
    isCached: true,
    async show(view) {
      const { c } = view;
      const name = c.req.param("field") ?? "";
      const kind = INDEXED_KINDS.find((each) => each.path === name)?.kind;
      if (kind) return withinLimit(api, view, () => nameIndexPage(services, view, kind));
      const schema = await currentSchema(services.sql, view.settings.version);
      const field = facetFields(schema, "").find((each) => each.name === name && each.field_type !== "date");
      if (!field) throw new Problem("not_found", said("problem.browse.unknown", { name: name.slice(0, 80) }));
      const search = visitorSearch(services, view);
      const found = await withinLimit(api, view, () => search.find({}, [name], { mostValues: MOST }));
      const label = labelText(field.label, view.t.language, name);
      const letter = c.req.query("letter");
      const path = `/browse/${name}${letter === undefined ? "" : `?${new URLSearchParams({ letter })}`}`;
      return pageAnswer(view, {
        title: `${label.value} · ${view.t("browse.title")}`,
        head: browseHead(services, view, path),
        content: await valueIndex(services, view, label, field, found.facets, letter),
        headers: search.headers(),
      });
    },
  });
}

type Services = Api["services"];

const browseHead = ({ config }: Services, view: View, path: string): Html =>
  html`<link rel="stylesheet" href="${view.asset("search.css")}">${alternates(view, config.baseUrl + path)}`;

const valueLink = (view: View, field: string, value: string): string =>
  view.link(searchAddress({ filters: [[`meta_${field}`, value]] }));

async function overview(
  services: Services,
  view: View,
  fields: readonly Field[],
  counts: Counts,
  degraded: boolean,
): Promise<Html> {
  const { sql, config } = services;
  const { t, link, formats } = view;
  if (degraded) return note("warning", t("search.degraded"), "status");
  const names = await namesOf(sql, t, counts, []);
  const kinds = new Map(countKinds(counts).map(({ kind, count }) => [kind, count]));
  const [chosen, collections, depictions] = await Promise.all([
    highlights(services, view, 2).then((ids) => findCovers(sql, VISITOR, ids)),
    idsBelow(sql, VISITOR, "collection", null, { limit: 1 }).then((ids) =>
      findCollectionCovers(sql, VISITOR, ids),
    ),
    latestDepictions(sql, VISITOR, config.publicCollectionStatuses),
  ]);
  const [object, dated] = chosen.values();
  const [collection] = collections.values();
  const covers = new Map([...depictions, ["object", object], ["collection", collection]]);
  const ways = [
    ...OFFERED.map((kind) => ({
      path: kindAddress(kind),
      words: t(`kind.${kind}`),
      count: kinds.get(kind) ?? 0,
      cover: covers.get(kind),
    })),
    { path: "/timeline", words: t("timeline.title"), count: kinds.get("object") ?? 0, cover: dated },
  ].filter(({ count }) => count > 0);
  const shown = fields.filter(({ name }) => (counts[name] ?? []).length > 0);
  if ([...kinds.values()].every((count) => count === 0))
    return emptyState(t("browse.none"), t("home.emptyText"));
  return html`<section class="stack">
      <h1>${t("browse.title")}</h1>
      <p class="lead">${t("browse.lead")}</p>
      <ul class="limbs ways">${ways.map(
        ({ path, words, count, cover }) =>
          html`<li><a href="${link(path)}">${tile(view, cover)}<b>${words}</b></a> <small>${formats.number(count)}</small></li>`,
      )}</ul>
    </section>
    <div class="shelves">${shown.map(
      ({ name, label }) => html`<section>
        <h2><a href="${link(`/browse/${name}`)}">${named(view, labelText(label, t.language, name))}</a></h2>
        <ul>${counts[name]!.slice(0, FEW).map(
          ({ value, count }) =>
            html`<li><a href="${valueLink(view, name, value)}" rel="nofollow">${text("span", view, names(name, value))}</a> <small>${formats.number(count)}</small></li>`,
        )}</ul>
      </section>`,
    )}</div>`;
}

async function valueIndex(
  { sql }: Services,
  view: View,
  label: Text,
  { name }: Field,
  counts: Counts,
  wanted: string | undefined,
): Promise<Html> {
  const { t, link, formats } = view;
  const names = await namesOf(sql, t, counts, []);
  const counted = counts[name] ?? [];
  const values = counted.map((each) => {
    const words = names(name, each.value);
    return { ...each, words, label: words.value };
  });
  const letters = byLetter(t.language, values);
  const isLong = values.length > LONG;
  const chosen = isLong ? (letters.find(({ letter }) => letter === wanted) ?? letters[0]) : undefined;
  const shown: Letter<(typeof values)[number]>[] = chosen ? [chosen] : letters;
  return html`<section class="stack">
    <p class="crumbs"><a href="${link("/browse")}">${t("browse.title")}</a></p>
    <h1>${named(view, label)}</h1>
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
            html`<li><a href="${valueLink(view, name, item.value)}" rel="nofollow">${text("span", view, item.words)}</a> <small>${formats.number(item.count)}</small></li>`,
        )}</ul></section>`,
    )}</div>
  </section>`;
}
