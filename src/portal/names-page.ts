/** People, places and events by name, each with the number of its objects. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { alternates } from "../pages/alternates.ts";
import { pageAnswer } from "../pages/page.ts";
import { emptyState, paging } from "../pages/parts.ts";
import { title } from "../pages/texts.ts";
import type { Html, PageView, View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { countLetters, countObjectsOf, idsByName } from "../records/read/by-name.ts";
import { idsOf } from "../records/record.ts";
import type { Services } from "../services.ts";
import { recordAddress } from "./addresses.ts";
import { cardFacts, cardLine } from "./card-facts.ts";
import { letterMenu } from "./letters.ts";
import { searchAddress } from "./search/address.ts";

const PAGE_SIZE = 60;
/** The most letters in a menu; a catalogue in Chinese has more. */
const MOST_LETTERS = 60;

const kindsByName = ["entity", "place", "occurrence"] as const satisfies readonly Kind[];
type NamedKind = (typeof kindsByName)[number];

export const INDEXED_KINDS = kindsByName.map((kind) => ({ kind, path: kinds[kind].plural }));

/** The page that lists all records of a kind. */
export function kindAddress(kind: Kind): string {
  if (kind === "collection") return "/collections";
  return INDEXED_KINDS.some((each) => each.kind === kind)
    ? `/browse/${kinds[kind].plural}`
    : searchAddress({ type: kind });
}

export async function nameIndexPage(services: Services, view: PageView, kind: NamedKind): Promise<Response> {
  const { c, t, link } = view;
  const letters = await countLetters(services.sql, VISITOR, kind);
  const total = letters.reduce((sum, { count }) => sum + count, 0);
  const letter = letters.find((each) => each.letter === c.req.query("letter")?.toLowerCase());
  const pagesInAll = Math.ceil((letter?.count ?? total) / PAGE_SIZE);
  const asked = Number(/^\d{1,6}$/.exec(c.req.query("page") ?? "")?.[0] ?? 1);
  const page = Math.min(Math.max(asked, 1), Math.max(pagesInAll, 1));
  const path = (first: string, number: number) => {
    const query = new URLSearchParams({
      ...(first === "" ? {} : { letter: first }),
      ...(number > 1 ? { page: String(number) } : {}),
    });
    return `/browse/${kinds[kind].plural}${query.size === 0 ? "" : `?${query}`}`;
  };
  const address = (first: string, number: number) => link(path(first, number));
  const menu = ["", ...letters.slice(0, MOST_LETTERS).map((each) => each.letter.toUpperCase())];
  const heading = t(`kind.${kind}`);
  return pageAnswer(view, {
    title: `${heading} · ${t("browse.title")}`,
    head: html`<link rel="stylesheet" href="${view.asset("search.css")}">${alternates(view, services.config.baseUrl + path(letter?.letter ?? "", page))}`,
    content: html`<section class="stack">
      <p class="crumbs"><a href="${link("/browse")}">${t("browse.title")}</a></p>
      <h1>${heading}</h1>
      ${total > PAGE_SIZE ? letterMenu(view, menu, letter?.letter.toUpperCase() ?? "", (first) => address(first.toLowerCase(), 1)) : ""}
      ${total === 0 ? emptyState(t("browse.none"), t("home.emptyText")) : await entries(services, view, kind, letter?.letter ?? null, page)}
      ${paging(view, page, pagesInAll, (number) => address(letter?.letter ?? "", number))}
    </section>`,
  });
}

async function entries(
  { sql, config }: Services,
  view: View,
  kind: NamedKind,
  letter: string | null,
  page: number,
): Promise<Html> {
  const { t, link } = view;
  const found = await idsByName(sql, VISITOR, kind, letter, {
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  });
  const ids = idsOf(found);
  const [facts, counts] = await Promise.all([
    cardFacts(sql, view, ids),
    countObjectsOf(sql, ids, config.publicCollectionStatuses),
  ]);
  const entry = (id: string) => {
    const known = facts.get(id);
    const count = counts.get(id) ?? 0;
    const name = title("bdi", view, known?.record ?? { title: id });
    const objects = link(searchAddress({ type: "object", filters: [[`rel_${kind}`, id]] }));
    return html`<li><a href="${link(recordAddress({ record_type: kind, id }))}">${name}</a>
      <small>${known ? cardLine(view, known) : ""}</small>
      ${count === 0 ? "" : html`<a class="count" href="${objects}" rel="nofollow">${t("browse.objects", { count })}<span class="hidden"> (${name})</span></a>`}</li>`;
  };
  const letters = [...new Set(found.map((one) => one.letter))];
  return html`<div class="names">${letters.map(
    (first) =>
      html`<section><h2>${first.toUpperCase()}</h2><ul>${found.map((one) => (one.letter === first ? entry(one.id) : ""))}</ul></section>`,
  )}</div>`;
}
