/** The results of a list as a file; the columns have the same names as on the page. */

import { html } from "hono/html";
import { withinLimit } from "../../http/concurrency-limit.ts";
import type { Api } from "../../http/endpoint.ts";
import { type ListFormat, listFile, listFormats } from "../../lists/files.ts";
import type { TableWords } from "../../lists/table.ts";
import { said } from "../../messages/said.ts";
import type { Translate } from "../../messages/translate.ts";
import type { Pages } from "../../pages/page.ts";
import { page } from "../../pages/routes.ts";
import { labelIn } from "../../pages/texts.ts";
import type { Html, View } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { KINDS, type Kind, kinds } from "../../records/kinds.ts";
import { currentSchema, type Schema } from "../../records/schema.ts";
import { delimiterFor } from "../../text/csv-cells.ts";
import { namePlainly } from "../field-names.ts";
import { exportPath } from "../sections.ts";
import { exportedAs } from "./columns.ts";
import { listQueryOf } from "./list-query.ts";
import { type ListParams, queryOf, readListParams } from "./params.ts";

export function listExportRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  for (const kind of KINDS) {
    page(api, pages, {
      path: exportPath(kind),
      summary: `The ${kinds[kind].many} that a list finds, as Excel, CSV, NDJSON or LIDO`,
      access: { action: "read", kind },
      async show(view) {
        const { c } = view;
        const schema = await currentSchema(sql);
        const format = listFormats(kind).find((each) => each === c.req.query("format"));
        if (!format)
          throw new Problem(
            "invalid",
            said("problem.export.format", { known: listFormats(kind).join(", ") }),
          );
        const asked = readListParams(new URL(c.req.url).searchParams, schema, kind);
        const words = {
          ...listWords(view.t, schema, kind),
          chosen: asked.columns.flatMap((name) => exportedAs(schema, kind, name)),
        };
        const { query } = await withinLimit(api, view, () =>
          listQueryOf(api.services, view, schema, kind, asked),
        );
        return listFile(api.services, c, view.caller, { kind, query, format, words });
      },
    });
  }
}

/** The names of the columns in the reader's language. Imports know them, too. */
export function listWords(t: Translate, schema: Schema, kind: Kind): TableWords {
  const { language } = t;
  return {
    delimiter: delimiterFor(language),
    // an import recognises our lists by this name
    column: (name) => (name === "updated_at" ? t("list.changed") : namePlainly({ t }, schema, kind, name)),
    link: ({ name, label }) => labelIn(label, language, name),
    kind: (to) => t(`kind.${to}`),
    role: (link) => t("list.role", { link }),
    qualifier: (link) => t("list.qualifier", { link }),
    path: (link) => t("list.path", { link }),
    chosen: [],
  };
}

/** Links to the files. If the reader chose columns, one link exports only these. */
export function exportLinks({ t, link }: View, kind: Kind, asked: ListParams): Html {
  const address = (format: ListFormat, columns: readonly string[]) => {
    const query = queryOf({ ...asked, columns, page: 1 });
    return link(`${exportPath(kind)}?${query === "" ? "" : `${query}&`}format=${format}`);
  };
  return html`<span>${t("list.download")}</span>
    ${asked.columns.length === 0 ? "" : (["xlsx", "csv"] as const).map((format) => html` <a href="${address(format, asked.columns)}" download>${t(`list.format.${format}Columns`)}</a>`)}
    ${listFormats(kind).map(
      (format) => html` <a href="${address(format, [])}" download>${t(`list.format.${format}`)}</a>`,
    )}`;
}
