/** The records before and after one in the list that its reader came from. */
import { html } from "hono/html";
import type { Ctx } from "../../http/endpoint.ts";
import { icon } from "../../pages/icons.ts";
import type { Html, View } from "../../pages/view.ts";
import { neighboursOf } from "../../records/read/list.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Schema } from "../../records/schema.ts";
import type { Services } from "../../services.ts";
import { refusal } from "../asked.ts";
import { listQueryOf } from "../lists/list-query.ts";
import { readListParams } from "../lists/params.ts";
import { listPath, recordPath } from "../sections.ts";

/** What stood in the address of the list, in that of a record which was opened there. */
const IN_LIST = "in";

/** @param list behind the question mark of the list's address; null: opened elsewhere */
export function addressInList(
  view: View,
  row: Pick<RecordRow, "record_type" | "id">,
  list: string | null,
): string {
  const query = list === null ? "" : `?${new URLSearchParams({ [IN_LIST]: list })}`;
  return view.link(`${recordPath(row.record_type, row.id)}${query}`);
}

/** What the address of a record says of the list that it was opened in. */
export const listOf = (c: Ctx): string | null => c.req.query(IN_LIST)?.slice(0, 2_000) ?? null;

/** Nothing for who did not come from a list. */
export async function neighbourLinks(
  services: Services,
  c: Ctx,
  view: View,
  schema: Schema,
  row: RecordRow,
): Promise<Html> {
  const list = listOf(c);
  if (list === null) return html``;
  const { t } = view;
  const kind = row.record_type;
  const asked = readListParams(new URLSearchParams(list), schema, kind);
  const { query } = await listQueryOf(services, c, view.caller, schema, kind, asked).catch(
    (error: unknown) => {
      // a filter that says nothing any more: the record is shown nevertheless
      refusal(error);
      return { query: { sort_by: asked.sort, sort_dir: asked.dir } };
    },
  );
  const { before, after } = await neighboursOf(services.sql, view.caller, row, query);
  return html`<nav class="neighbours" aria-label="${t("list.inList")}">
    ${before ? html`<a rel="prev" href="${addressInList(view, { record_type: kind, id: before }, list)}">${icon("previous")}${t("list.before")}</a>` : ""}
    <a href="${view.link(list === "" ? listPath(kind) : `${listPath(kind)}?${list}`)}">${t("list.back")}</a>
    ${after ? html`<a rel="next" href="${addressInList(view, { record_type: kind, id: after }, list)}">${t("list.after")}${icon("next")}</a>` : ""}
  </nav>`;
}
