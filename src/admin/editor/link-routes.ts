/** Staff create the links of a record, qualify its maker, remove links and restore them. */

import type { Api } from "../../http/endpoint.ts";
import { said } from "../../messages/said.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { pageForm } from "../../pages/routes.ts";
import type { PageView } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { KINDS, kinds } from "../../records/kinds.ts";
import { changeRelation, putBackRelation, removeRelation } from "../../records/links/relation-changes.ts";
import type { FoundRecord } from "../../records/read/store.ts";
import { currentSchema } from "../../records/schema.ts";
import { IdShape } from "../../records/shape.ts";
import { retryWhenNumberTaken } from "../../records/write/write.ts";
import { idOf, type OnRecord } from "../asked.ts";
import { recordPath } from "../sections.ts";
import { demandLink, IN_LINK_FORM, LINK_FORM, makeLink, roleOf } from "./link-wishes.ts";
import { qualifierOfForm } from "./qualifier-form.ts";
import { withStoredValues } from "./typed-terms.ts";

function relationOf({ c }: PageView): string {
  const id = c.req.param("link") ?? "";
  if (IdShape.safeParse(id).success) return id;
  throw new Problem("not_found", said("problem.relation.not_found", { id: id.slice(0, 100) }));
}

export function linkRoutes(api: Api, pages: Pages, onRecord: OnRecord): void {
  const { services } = api;
  for (const kind of KINDS) {
    const { one } = kinds[kind];
    const path = recordPath(kind, "{id}");

    pageForm(api, pages, {
      path: `${path}/links`,
      summary: `Link ${one} with another record`,
      access: { action: "update", kind },
      take: (view, sent) => {
        const act = async ({ id, configuration_version }: FoundRecord) => {
          const schema = await currentSchema(services.sql, configuration_version);
          const fields = await withStoredValues(services.sql, view, [], sent);
          const wish = {
            ...{ type: fields.get("relation_type") ?? "", text: fields.get("to") ?? "" },
            ...{ create: fields.get("create") ?? "", at: IN_LINK_FORM },
            metadata: { ...roleOf(fields.get("role")), ...qualifierOfForm(view.t, fields) },
          };
          const link = await demandLink(services.sql, view, schema, kind, wish);
          const { changed } = await retryWhenNumberTaken(() =>
            services.sql.begin((tx) => makeLink(tx, services, view.caller, { kind, id }, link)),
          );
          await services.changed(changed);
          return redirectTo(view, `${recordPath(kind, id)}#links`, "admin.link.added");
        };
        return onRecord(services, view, kind, act, LINK_FORM);
      },
    });

    pageForm(api, pages, {
      path: `${path}/links/{link}/qualify`,
      summary: `Say how a link of ${one} qualifies a maker`,
      access: { action: "update", kind },
      take: (view, fields) =>
        onRecord(services, view, kind, async ({ id }) => {
          const place = { kind, id, relationId: relationOf(view), expected: null };
          await changeRelation(services, view.caller, place, (old) => ({
            ...old,
            ...qualifierOfForm(view.t, fields, old),
          }));
          return redirectTo(view, `${recordPath(kind, id)}#links`, "admin.link.qualified");
        }),
    });

    pageForm(api, pages, {
      path: `${path}/links/{link}/remove`,
      summary: `Take a link of ${one} away`,
      access: { action: "update", kind },
      async take(view) {
        const id = idOf(view, kind);
        const place = { kind, id, relationId: relationOf(view), expected: null };
        await removeRelation(services, view.caller, place);
        return redirectTo(view, `${recordPath(kind, id)}?removed=${place.relationId}#links`);
      },
    });

    pageForm(api, pages, {
      path: `${path}/links/{link}/put-back`,
      summary: `Put a removed link of ${one} back`,
      access: { action: "update", kind },
      take: (view) =>
        onRecord(services, view, kind, async ({ id }) => {
          const place = { kind, id, relationId: relationOf(view), expected: null };
          await putBackRelation(services, view.caller, place);
          return redirectTo(view, `${recordPath(kind, id)}#links`, "admin.link.isBack");
        }),
    });
  }
}
