/** After something was published: which linked records are still drafts, and the way to publish them, too. */
import { html } from "hono/html";
import { mayDo } from "../../caller.ts";
import { said, say } from "../../messages/said.ts";
import { csrfField } from "../../pages/forms.ts";
import { note } from "../../pages/parts.ts";
import type { Html, View } from "../../pages/view.ts";
import { manyOf, oneOf } from "../../records/kinds.ts";
import { draftsQuery, findLinkedDrafts, type LinkedDrafts } from "../../records/links/linked-drafts.ts";
import type { Sql } from "../../services.ts";
import { bulkPath } from "../sections.ts";

/** `id`: of the public record, the import or the batch edit. Nothing if there are none. */
export async function linkedDraftsNote(sql: Sql, view: View, id: string): Promise<Html> {
  const drafts = await findLinkedDrafts(sql, view.caller, id);
  if (drafts.length === 0) return html``;
  const total = drafts.reduce((sum, { count }) => sum + count, 0);
  return note(
    "warning",
    html`<p>${view.t("drafts.linked", { count: total })}</p><ul class="plain">${drafts.map((one) => line(view, id, one))}</ul>`,
  );
}

function line(view: View, id: string, { record_type: kind, count, names, list }: LinkedDrafts): Html {
  const { t, link, caller } = view;
  const counted = say(t, said("job.count.of_kind", { count, one: oneOf(kind), many: manyOf(kind) }));
  const mayPublish = mayDo(caller, "publish", kind) && mayDo(caller, "update", kind);
  return html`<li class="row"><a href="${link(list)}">${counted}</a>
    <span dir="auto">${names.join(", ")}${count > names.length ? " …" : ""}</span>
    ${
      mayPublish
        ? html`<form method="post" action="${link(bulkPath(kind))}">${csrfField(view)}
          <input type="hidden" name="scope" value="found"><input type="hidden" name="back" value="${draftsQuery(id)}">
          <button class="quiet small" name="publish" value="yes" aria-label="${t("drafts.publishThese", { what: counted })}">${t("drafts.publish")}</button></form>`
        : ""
    }</li>`;
}
