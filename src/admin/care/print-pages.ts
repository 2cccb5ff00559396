/** What is printed: the list of a loan or of another procedure, the card of an object, labels of storage locations. */

import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import type { Api } from "../../http/endpoint.ts";
import { documentHead, type Layout } from "../../pages/layout.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { numberAsked, partLinks } from "../../pages/parts.ts";
import { page } from "../../pages/routes.ts";
import { objectsOf } from "../../procedures/follow-up.ts";
import { type StorageNode, storageTree } from "../../procedures/storage.ts";
import type { Kind } from "../../records/kinds.ts";
import { findCovers } from "../../records/media/store.ts";
import { currentSchema } from "../../records/schema.ts";
import { demandRow } from "../asked.ts";
import { MOST_OBJECTS } from "../editor/procedure-section.ts";
import { titleOf } from "../lists/record-list.ts";
import { recordPath } from "../sections.ts";
import { nameOf } from "./movement-tables.ts";
import { card, loanList, qrCode, tools } from "./print-sheets.ts";
import { MOST_PLACES } from "./storage-page.ts";

/** Labels on one page for printing. */
const MOST_LABELS = 500;

/** White paper, black ink, nothing of the staff interface around it. */
const sheet: Layout = (view, title, content, head) => html`<!doctype html>
<html lang="${view.t.language}">
  ${documentHead(view, title, html`<link rel="stylesheet" href="${view.asset("print.css")}"><script type="module" src="${view.asset("print.js")}" nonce="${view.nonce}"></script>${head}`)}
  <body class="sheet"><main id="content">${content}</main></body>
</html>
`;

export function printPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql, config } = services;
  const inWorkroom = (kind: Kind, id: string) =>
    `${config.adminUrl}${recordPath(kind, id).slice("/admin".length)}`;

  page(api, pages, {
    path: `${recordPath("procedure", "{id}")}/print`,
    summary: "The objects of a procedure as a list to be printed and signed",
    access: { action: "read", kind: "procedure" },
    async show({ c, view, caller }) {
      const row = await demandRow(services, caller, "procedure", c);
      const schema = await currentSchema(sql, row.configuration_version);
      const part = numberAsked(c, "part");
      const { objects, long } = mayDo(caller, "read", "object")
        ? await objectsOf(sql, caller, row.id, { part, size: MOST_OBJECTS })
        : { objects: [], long: { total: 0, size: MOST_OBJECTS } };
      const address = view.link(`${recordPath("procedure", row.id)}/print`);
      const others = partLinks(view, part, long, (next) => `${address}?part=${next}`);
      const covers = await findCovers(
        sql,
        caller,
        objects.map(({ id }) => id),
      );
      const content = await loanList(services, view, schema, row, objects, covers, others);
      return pageAnswer(c, view, { layout: sheet, title: titleOf(view, schema, row) ?? row.idno, content });
    },
  });

  page(api, pages, {
    path: `${recordPath("object", "{id}")}/card`,
    summary: "The card of an object, to be printed",
    access: { action: "read", kind: "object" },
    async show({ c, view, caller }) {
      const row = await demandRow(services, caller, "object", c);
      const schema = await currentSchema(sql, row.configuration_version);
      const ark = (await services.arks.of(sql, [row.id])).get(row.id)?.url;
      const content = await card(services, view, schema, row, ark ?? inWorkroom("object", row.id));
      return pageAnswer(c, view, { layout: sheet, title: titleOf(view, schema, row) ?? row.idno, content });
    },
  });

  page(api, pages, {
    path: `${recordPath("storage_location", "{id}")}/label`,
    summary: "The label of a storage location, to be printed; with ?below=yes also of those below it",
    access: { action: "read", kind: "storage_location" },
    async show({ c, view, caller }) {
      const row = await demandRow(services, caller, "storage_location", c);
      const nodes = withBelow((await storageTree(sql, caller, MOST_PLACES)).nodes, row.id);
      const isBelow = c.req.query("below") === "yes";
      const part = numberAsked(c, "part");
      const long = { total: isBelow ? nodes.length : 1, size: MOST_LABELS };
      const from = offsetOf(part, long);
      const labels = isBelow ? nodes.slice(from, from + MOST_LABELS) : nodes.slice(0, 1);
      const back = recordPath("storage_location", row.id);
      const further =
        !isBelow && nodes.length > 1
          ? html` <a href="${view.link(`${back}/label?below=yes`)}">${view.t("care.labelsBelow")}</a>`
          : "";
      const content = html`${tools(view, back, further)}<h1 class="hidden">${view.t("care.label")}</h1><ul class="labels">${labels.map(
        (each) =>
          html`<li>${qrCode(inWorkroom("storage_location", each.id))}<div><b dir="auto">${nameOf(view, each)}</b><span>${each.idno}</span></div></li>`,
      )}</ul>${partLinks(view, part, long, (next) => `${view.link(back)}/label?below=yes&part=${next}`)}`;
      return pageAnswer(c, view, { layout: sheet, title: view.t("care.label"), content });
    },
  });
}

/** The location and all below it, each after the one that holds it. */
function withBelow(nodes: readonly StorageNode[], id: string): StorageNode[] {
  const own = nodes.filter((node) => node.id === id);
  const below = nodes.filter((node) => node.parent_id === id);
  return [...own, ...below.flatMap((node) => withBelow(nodes, node.id))];
}
