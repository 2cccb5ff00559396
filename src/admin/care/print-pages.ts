/** Pages to print: the list of a loan or another procedure, and the card of an object. */

import { mayDo } from "../../caller.ts";
import type { Api } from "../../http/endpoint.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { numberAsked, partLinks } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import { objectsOf } from "../../procedures/follow-up.ts";
import { findCovers } from "../../records/media/store.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import { demandRow } from "../asked.ts";
import { MOST_OBJECTS } from "../editor/procedure-section.ts";
import { nameOf } from "../record-names.ts";
import { recordPath } from "../sections.ts";
import { codesOf } from "./label-pages.ts";
import { card, loanList, sheet } from "./print-sheets.ts";

export function printPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  page(api, pages, {
    path: `${recordPath("procedure", "{id}")}/print`,
    summary: "The objects of a procedure as a list to be printed and signed",
    access: { action: "read", kind: "procedure" },
    async show(view) {
      const { caller } = view;
      const row = await demandRow(services, view, "procedure");
      const schema = await currentSchema(sql, row.configuration_version);
      const part = numberAsked(view, "part");
      const { objects, long } = mayDo(caller, "read", "object")
        ? await objectsOf(sql, caller, row.id, { part, size: MOST_OBJECTS })
        : { objects: [], long: { total: 0, size: MOST_OBJECTS } };
      const address = view.link(`${recordPath("procedure", row.id)}/print`);
      const others = partLinks(view, part, long, (next) => `${address}?part=${next}`);
      const covers = await findCovers(sql, caller, idsOf(objects));
      const content = await loanList(services, view, schema, row, objects, covers, others);
      return pageAnswer(view, { layout: sheet, title: nameOf(view, schema, row), content });
    },
  });

  page(api, pages, {
    path: `${recordPath("object", "{id}")}/card`,
    summary: "The card of an object, to be printed",
    access: { action: "read", kind: "object" },
    async show(view) {
      const row = await demandRow(services, view, "object");
      const schema = await currentSchema(sql, row.configuration_version);
      const address = (await codesOf(services, "object", [row.id]))(row.id);
      const content = await card(services, view, schema, row, address);
      return pageAnswer(view, { layout: sheet, title: nameOf(view, schema, row), content });
    },
  });
}
