/** Possible duplicates side by side. Staff merge them, or mark them as different. */
import { html } from "hono/html";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import type { Pages } from "../../pages/page.ts";
import { page, pageForm } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import {
  type Duplicate,
  dismissDuplicate,
  listDuplicates,
  type PageOfPairs,
} from "../../records/duplicates/duplicates.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { findMerges } from "../../records/merge/store.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import { duplicatesPath, listPath, mergePath, unmergePath } from "../sections.ts";
import { besideEachOther, type Compared, comparedOf } from "./beside.ts";
import { decisions, mergesDone, pairsAnswer, pairsAsked, takeDecision } from "./pairs.ts";

export function duplicatesPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;
  for (const kind of KINDS) {
    const { many } = kinds[kind];
    const access = { action: "update", also: "delete", kind } as const;

    page(api, pages, {
      path: duplicatesPath(kind),
      summary: `Which ${many} may be one, or are not one`,
      access,
      async show(view) {
        const { caller, t, link } = view;
        const asked = pairsAsked(view);
        const found = await withinLimit(api, view, () => listDuplicates(services, caller, kind, asked));
        const schema = await currentSchema(sql);
        const rows = found.items.flatMap(({ records }) => records);
        const compared = await comparedOf(sql, view, schema, kind, rows);
        const about = {
          at: listPath(kind),
          here: link(duplicatesPath(kind)),
          crumbs: html`<p class="crumbs"><a href="${link(listPath(kind))}">${t(`kind.${kind}`)}</a></p>`,
          text: t("duplicates.text"),
          noneText: t("duplicates.noneText"),
          above: mergesDone(view, await findMerges(sql, kind), (id) => unmergePath(kind, id)),
        };
        const items = found.items.map((item) => pair(view, kind, item, compared, asked));
        return pairsAnswer(view, about, asked, { ...found, items });
      },
    });

    pageForm(api, pages, {
      path: duplicatesPath(kind),
      summary: `Say that two ${many} are not one, or may be one after all`,
      access,
      take: (view, fields) =>
        takeDecision(view, duplicatesPath(kind), fields, (ids, isDismissed) =>
          dismissDuplicate(services, view.caller, kind, ids, isDismissed),
        ),
    });
  }
}

function pair(
  view: View,
  kind: Kind,
  { records, reason, score }: Duplicate,
  compared: ReadonlyMap<string, Compared>,
  asked: PageOfPairs,
): Html {
  const { t, link } = view;
  const ids = idsOf(records);
  const [one, other] = ids.map((id) => compared.get(id)!) as [Compared, Compared];
  const choice = {
    here: link(duplicatesPath(kind)),
    // by default, the older one stays
    merge: `${link(mergePath(kind, other.row.id))}?into=${one.row.id}`,
    ids,
    what: { one: one.row.idno, other: other.row.idno },
  };
  return html`<section class="group"><h2>${t(score === 1 && reason === "name" ? "duplicates.reason.sameName" : `duplicates.reason.${reason}`)}</h2>
    ${besideEachOther(view, [one, other])}
    ${decisions(view, choice, asked)}
  </section>`;
}
