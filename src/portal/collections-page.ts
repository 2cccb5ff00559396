/** The tree of collections, each with a picture and the number of its objects. */
import { html } from "hono/html";
import { VISITOR } from "../caller.ts";
import { withinLimit } from "../http/concurrency-limit.ts";
import type { Api } from "../http/endpoint.ts";
import { alternates } from "../pages/alternates.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import { title } from "../pages/texts.ts";
import type { Html, View } from "../pages/view.ts";
import type { Picture } from "../records/media/pictures.ts";
import { findCollectionCovers } from "../records/media/store.ts";
import { readHits, type ShownRecord } from "../records/public/neighbours.ts";
import { collectionBranches } from "../records/read/branches.ts";
import { countHoldings } from "../records/read/holdings.ts";
import { idsOf } from "../records/record.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { tile } from "./cards.ts";

type Branch = Pick<ShownRecord, "id" | "title" | "lang"> & { below: Branch[] };
type Seen = { counts: ReadonlyMap<string, number>; covers: ReadonlyMap<string, Picture> };

export function collectionsPageRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/collections",
    summary: "The tree of collections",
    access: "public",
    isCached: true,
    async show(view) {
      const { tree, seen } = await withinLimit(api, view, () => readTree(api.services, view));
      const { t } = view;
      const content = html`<section class="stack">
          <h1>${t("kind.collection")}</h1>
          <p class="lead">${t("collections.lead")}</p>
        </section>
        ${tree.length === 0 ? emptyState(t("collections.empty"), t("home.emptyText")) : trees(view, tree, seen)}`;
      return pageAnswer(view, {
        title: t("kind.collection"),
        head: html`<link rel="stylesheet" href="${view.asset("search.css")}">${alternates(view, `${api.services.config.baseUrl}/collections`)}`,
        content,
      });
    },
  });
}

async function readTree({ sql, config }: Services, view: View): Promise<{ tree: Branch[]; seen: Seen }> {
  const rows = await collectionBranches(sql, VISITOR);
  const ids = idsOf(rows);
  const schema = await currentSchema(sql, view.settings.version);
  const [shown, counts, covers] = await Promise.all([
    readHits(sql, schema, VISITOR, ids, [view.t.language]),
    countHoldings(sql, ids, config.publicCollectionStatuses),
    findCollectionCovers(sql, VISITOR, ids),
  ]);
  const branches = new Map<string, Branch>();
  for (const { id } of rows) {
    const record = shown.get(id);
    if (record) branches.set(id, { ...record, below: [] });
  }
  const tree: Branch[] = [];
  for (const { id, parent_id } of rows) {
    const branch = branches.get(id);
    if (branch) ((parent_id && branches.get(parent_id)?.below) || tree).push(branch);
  }
  return { tree, seen: { counts, covers } };
}

const linkTo = (view: View, id: string): string => view.link(`/collections/${id}`);

function objects({ t }: View, { counts }: Seen, id: string): Html {
  const count = counts.get(id) ?? 0;
  return count === 0 ? html`` : html`<small>${t("browse.objects", { count })}</small>`;
}

/** Top collections with sub-collections are headings; all others are listed side by side at the end. */
function trees(view: View, tree: readonly Branch[], seen: Seen): Html {
  const single = tree.filter(({ below }) => below.length === 0);
  return html`${tree.filter(({ below }) => below.length > 0).map((branch) => trunk(view, branch, seen))}
    ${single.length === 0 ? "" : html`<ul class="limbs">${single.map((branch) => limb(view, branch, seen))}</ul>`}`;
}

/** A heading, and its direct sub-collections with pictures. */
function trunk(view: View, branch: Branch, seen: Seen): Html {
  const { id, below } = branch;
  return html`<section class="trunk" aria-labelledby="c-${id}">
    <h2 id="c-${id}"><a href="${linkTo(view, id)}">${title("bdi", view, branch)}</a> ${objects(view, seen, id)}</h2>
    <ul class="limbs">${below.map((each) => limb(view, each, seen))}</ul>
  </section>`;
}

function limb(view: View, branch: Branch, seen: Seen): Html {
  const { id, below } = branch;
  return html`<li><a href="${linkTo(view, id)}">${tile(view, seen.covers.get(id))}
    ${title("b", view, branch)}</a> ${objects(view, seen, id)}${twigs(view, below, seen)}</li>`;
}

function twigs(view: View, branches: readonly Branch[], seen: Seen): Html {
  if (branches.length === 0) return html``;
  return html`<ul>${branches.map(
    (branch) =>
      html`<li><a href="${linkTo(view, branch.id)}">${title("bdi", view, branch)}</a> ${objects(view, seen, branch.id)}${twigs(view, branch.below, seen)}</li>`,
  )}</ul>`;
}
