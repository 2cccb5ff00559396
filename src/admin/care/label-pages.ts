/** Labels with codes to print, for one object or storage location, or for those selected in a list. */
import { html } from "hono/html";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import type { Api } from "../../http/endpoint.ts";
import { type Pages, pageAnswer } from "../../pages/page.ts";
import { numberAsked, partLinks } from "../../pages/parts.ts";
import { qrCode } from "../../pages/qr.ts";
import { page } from "../../pages/routes.ts";
import type { Html, PageView } from "../../pages/view.ts";
import { type StorageNode, storageTree } from "../../procedures/storage.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { locationPaths } from "../../records/public/location-paths.ts";
import { findRecords } from "../../records/read/store.ts";
import { idsOf } from "../../records/record.ts";
import { currentSchema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { demandRow } from "../asked.ts";
import { findChoice, firstChosen } from "../bulk/store.ts";
import { nameOf, titleOf } from "../record-names.ts";
import { bulkPath, LABELLED, listPath, recordPath } from "../sections.ts";
import { sheet, tools } from "./print-sheets.ts";
import { MOST_PLACES } from "./storage-page.ts";

/** The most labels on one page. */
const MOST_LABELS = 500;

/** The text of each code: the persistent address of the record, or its address in the staff interface. */
export async function codesOf(
  { sql, arks, config }: Pick<Services, "sql" | "arks" | "config">,
  kind: Kind,
  ids: readonly string[],
): Promise<(id: string) => string> {
  const named = kind === "object" ? await arks.of(sql, ids) : new Map();
  return (id) => named.get(id)?.url ?? `${config.adminUrl}${recordPath(kind, id).slice("/admin".length)}`;
}

type Label = { id: string; idno: string; name: string };

export function labelPageRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const { sql } = services;

  /** `here`: the address of the page, without its part. */
  async function answer(
    view: PageView,
    kind: Kind,
    labels: readonly Label[],
    { above, total, here }: { above: Html; total: number; here: string },
  ) {
    const code = await codesOf(services, kind, idsOf(labels));
    const { t, link } = view;
    const long = { total, size: MOST_LABELS };
    const others = partLinks(view, numberAsked(view, "part"), long, (next) => `${link(here)}part=${next}`);
    const title = t(labels.length === 1 ? "care.label" : "care.labels");
    const content = html`${above}<h1 class="hidden">${title}</h1><ul class="labels">${labels.map(
      ({ id, idno, name }) =>
        html`<li>${qrCode(code(id))}<div><b dir="auto">${name}</b><span>${idno}</span></div></li>`,
    )}</ul>${others}`;
    return pageAnswer(view, { layout: sheet, title, content });
  }
  const partOf = <T>(view: PageView, all: readonly T[]): readonly T[] => {
    const from = offsetOf(numberAsked(view, "part"), { total: all.length, size: MOST_LABELS });
    return all.slice(from, from + MOST_LABELS);
  };

  page(api, pages, {
    path: `${recordPath("storage_location", "{id}")}/label`,
    summary: "The label of a storage location, to be printed; with ?below=yes also of those below it",
    access: { action: "read", kind: "storage_location" },
    async show(view) {
      const row = await demandRow(services, view, "storage_location");
      const schema = await currentSchema(sql);
      const nodes = withBelow((await storageTree(sql, view.caller, MOST_PLACES)).nodes, row.id);
      const isBelow = view.c.req.query("below") === "yes";
      const chosen = partOf(view, isBelow ? nodes : nodes.slice(0, 1));
      const paths = await locationPaths(sql, schema, view.caller, [view.t.language], chosen);
      const labels = chosen.map((node) => ({
        ...{ id: node.id, idno: node.idno, name: paths.get(node.id) ?? nameOf(view, schema, node) },
      }));
      const back = recordPath("storage_location", row.id);
      const further =
        !isBelow && nodes.length > 1
          ? html` <a href="${view.link(`${back}/label?below=yes`)}">${view.t("care.labelsBelow")}</a>`
          : "";
      return answer(view, "storage_location", labels, {
        above: tools(view, back, further),
        total: isBelow ? nodes.length : 1,
        here: `${back}/label?below=yes&`,
      });
    },
  });

  page(api, pages, {
    path: `${recordPath("object", "{id}")}/label`,
    summary: "The label of an object, to be printed",
    access: { action: "read", kind: "object" },
    async show(view) {
      const row = await demandRow(services, view, "object");
      const schema = await currentSchema(sql, row.configuration_version);
      const name = titleOf(view, schema, row) ?? view.t("style.untitled");
      const back = recordPath("object", row.id);
      return answer(view, "object", [{ id: row.id, idno: row.idno, name }], {
        above: tools(view, back),
        total: 1,
        here: `${back}/label?`,
      });
    },
  });

  for (const kind of LABELLED)
    page(api, pages, {
      path: `${bulkPath(kind, "{id}")}/labels`,
      summary: `The labels of ${kinds[kind].many} that were chosen in a list, to be printed`,
      access: { action: "update", kind },
      async show(view) {
        const { id, choice } = await findChoice(sql, view, kind);
        const ids = idsOf(partOf(view, await firstChosen(sql, id, choice.total)));
        const rows = new Map((await findRecords(sql, view.caller, kind, ids)).map((row) => [row.id, row]));
        const schema = await currentSchema(sql);
        const paths = await locationPaths(sql, schema, view.caller, [view.t.language], [...rows.values()]);
        const labels = ids.flatMap((each) => {
          const row = rows.get(each);
          const name = row && (paths.get(each) ?? titleOf(view, schema, row) ?? view.t("style.untitled"));
          return row && name ? [{ id: each, idno: row.idno, name }] : [];
        });
        const back = choice.back === "" ? listPath(kind) : `${listPath(kind)}?${choice.back}`;
        return answer(view, kind, labels, {
          above: tools(view, back, "", true),
          total: choice.total,
          here: `${bulkPath(kind, id)}/labels?`,
        });
      },
    });
}

/** The location and all below it, each after its parent. */
function withBelow(nodes: readonly StorageNode[], id: string): StorageNode[] {
  const own = nodes.filter((node) => node.id === id);
  const below = nodes.filter((node) => node.parent_id === id);
  return [...own, ...below.flatMap((node) => withBelow(nodes, node.id))];
}
