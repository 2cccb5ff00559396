/** Links to the previous and next record in the list from which the reader came. */
import { html } from "hono/html";
import { icon } from "../../pages/icons.ts";
import type { Html, PageView } from "../../pages/view.ts";
import { neighboursOf } from "../../records/read/list.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { refusal } from "../asked.ts";
import { listQueryOf } from "../lists/list-query.ts";
import { readListParams } from "../lists/params.ts";
import { listPath, recordPath } from "../sections.ts";

/** The parameter of a record's address that holds the query string of the list. */
const IN_LIST = "in";

/** @param list the query string of the list; null if the record was opened elsewhere */
export function pathInList(row: Pick<RecordRow, "record_type" | "id">, list: string | null): string {
  const query = list === null ? "" : `?${new URLSearchParams({ [IN_LIST]: list })}`;
  return `${recordPath(row.record_type, row.id)}${query}`;
}

/** The query string of the list in which the record was opened. */
export const listOf = ({ c }: PageView): string | null => c.req.query(IN_LIST)?.slice(0, 2_000) ?? null;

/** Empty if the reader did not come from a list. */
export async function neighbourLinks(
  services: Services,
  view: PageView,
  schema: Schema,
  row: RecordRow,
): Promise<Html> {
  const list = listOf(view);
  if (list === null) return html``;
  const { t, link } = view;
  const kind = row.record_type;
  const asked = readListParams(new URLSearchParams(list), schema, kind);
  const { query } = await listQueryOf(services, view, schema, kind, asked).catch((error: unknown) => {
    // invalid filters are ignored, so that the record is shown
    refusal(error);
    return { query: { sort_by: asked.sort, sort_dir: asked.dir } };
  });
  const { before, after } = await neighboursOf(services.sql, view.caller, row, query);
  return html`<nav class="neighbours" aria-label="${t("list.inList")}">
    ${before ? html`<a rel="prev" href="${link(pathInList({ record_type: kind, id: before }, list))}">${icon("previous")}${t("list.before")}</a>` : ""}
    <a href="${link(list === "" ? listPath(kind) : `${listPath(kind)}?${list}`)}">${t("list.back")}</a>
    ${after ? html`<a rel="next" href="${link(pathInList({ record_type: kind, id: after }, list))}">${t("list.after")}${icon("next")}</a>` : ""}
  </nav>`;
}
