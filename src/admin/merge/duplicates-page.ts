/** Records that may be one, side by side: they are merged, or somebody says that they are two. */
import { html } from "hono/html";
import { withinLimit } from "../../http/concurrency-limit.ts";
import { type Api, accountOf } from "../../http/endpoint.ts";
import { csrfField } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { emptyState, note, paging } from "../../pages/parts.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import {
  type Duplicate,
  dismissDuplicate,
  listDuplicates,
  offerDuplicate,
} from "../../records/duplicates/duplicates.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { pageAsked } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { LAST_PAGE } from "../lists/params.ts";
import { duplicatesPath, listPath, mergePath } from "../sections.ts";
import { besideEachOther, type Compared, comparedOf } from "./beside.ts";

const PAGE_SIZE = 20;

export function duplicatesPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;
  for (const kind of KINDS) {
    const { many } = kinds[kind];
    const access = { action: "update", also: "delete", kind } as const;

    page(api, pages, {
      path: duplicatesPath(kind),
      summary: `Which ${many} may be one`,
      access,
      async show({ c, view, caller }) {
        const { t, link } = view;
        const number = Math.min(pageAsked(c), LAST_PAGE);
        const { total, items } = await withinLimit(api, c, caller, () =>
          listDuplicates(services, accountOf(caller), kind, { page: number, page_size: PAGE_SIZE }),
        );
        const schema = await currentSchema(sql);
        const rows = items.flatMap(({ records }) => records);
        const compared = await comparedOf(sql, view, schema, kind, rows);
        return adminAnswer(c, view, {
          at: listPath(kind),
          title: t("duplicates.title"),
          content: html`<div><p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a></p>
              <h1>${t("duplicates.title")}</h1><p class="help">${t("duplicates.text")}</p></div>
            ${dismissedNote(view, kind, c.req.query("a"), c.req.query("b"))}
            ${total === 0 ? emptyState(t("duplicates.none"), t("duplicates.noneText")) : items.map((item) => pair(view, kind, item, compared, number))}
            ${paging(view, number, Math.ceil(total / PAGE_SIZE), (next) => `${link(duplicatesPath(kind))}?page=${next}`)}`,
        });
      },
    });

    pageForm(api, pages, {
      path: duplicatesPath(kind),
      summary: `Say that two ${many} are not one, or may be one after all`,
      access,
      async take({ c, view, caller, fields }) {
        const ids = ["a", "b"].map((name) => IdShape.safeParse(fields.get(name)).data ?? "");
        const asked = new URLSearchParams({ page: fields.get("page") ?? "1" });
        const here = view.link(duplicatesPath(kind));
        if (ids.includes("")) return redirectTo(c, view, here);
        if (fields.has("again")) {
          await offerDuplicate(services, accountOf(caller), kind, ids);
          return redirectTo(c, view, `${here}?${asked}`);
        }
        await dismissDuplicate(services, accountOf(caller), kind, ids);
        asked.set("a", ids[0]!);
        asked.set("b", ids[1]!);
        return redirectTo(c, view, `${here}?${asked}`);
      },
    });
  }
}

const pairForm = (view: View, kind: Kind, ids: readonly string[], page: number, button: Html): Html =>
  html`<form method="post" action="${view.link(duplicatesPath(kind))}">${csrfField(view)}
    ${["a", "b"].map((name, at) => html`<input type="hidden" name="${name}" value="${ids[at]}">`)}
    <input type="hidden" name="page" value="${page}">${button}</form>`;

/** What was just said, and the way back. */
function dismissedNote(view: View, kind: Kind, a: string | undefined, b: string | undefined): Html {
  const ids = [a, b].map((id) => IdShape.safeParse(id).data ?? "");
  if (ids.includes("")) return html``;
  const { t } = view;
  const again = pairForm(
    view,
    kind,
    ids,
    1,
    html`<button class="quiet small" name="again" value="yes">${t("duplicates.again")}</button>`,
  );
  return note("success", html`<p>${t("duplicates.dismissed")}</p>${again}`, "status");
}

function pair(
  view: View,
  kind: Kind,
  { records, reason, score }: Duplicate,
  compared: ReadonlyMap<string, Compared>,
  page: number,
): Html {
  const { t, link } = view;
  const ids = records.map(({ id }) => id);
  const [one, other] = ids.map((id) => compared.get(id)!) as [Compared, Compared];
  // the older one stays unless somebody says otherwise
  const merge = `${link(mergePath(kind, other.row.id))}?into=${one.row.id}`;
  const what = { one: one.row.idno, other: other.row.idno };
  return html`<section class="group"><h2>${t(score === 1 && reason === "name" ? "duplicates.reason.sameName" : `duplicates.reason.${reason}`)}</h2>
    ${besideEachOther(view, [one, other])}
    <div class="row"><a class="button" href="${merge}" aria-label="${t("merge.these", what)}">${t("merge.button")}</a>
      ${pairForm(view, kind, ids, page, html`<button class="quiet" aria-label="${t("duplicates.dismissThese", what)}">${t("duplicates.dismiss")}</button>`)}</div>
  </section>`;
}
