/** The guide for beginners on the first page: five steps, each ticked once it is done. */
import { html } from "hono/html";
import { mayDo, mayUse } from "../caller.ts";
import type { Api } from "../http/endpoint.ts";
import { csrfField } from "../pages/forms.ts";
import { icon } from "../pages/icons.ts";
import { type Pages, redirectTo } from "../pages/page.ts";
import { note } from "../pages/parts.ts";
import { pageForm } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";
import type { Kind, Status } from "../records/kinds.ts";
import { countByStatus } from "../records/read/overview.ts";
import type { Sql } from "../services.ts";
import { listPath, photosPath } from "./sections.ts";

const PATH = "/admin/first-steps";
const NEEDS = "settings:manage";

export type Counts = ReadonlyMap<Kind, Partial<Record<Status, number>>>;
type Known = { guide_closed: boolean; imported: boolean; pictured: boolean };

/** For people who may set up the installation. Others see how to begin, as long as there is no record. */
export async function firstSteps(sql: Sql, view: View, counts: Counts): Promise<Html> {
  if (!mayUse(view.caller, NEEDS)) return counts.size === 0 ? firstRecord(view) : html``;
  const steps = await stepsOf(sql, view, counts);
  const next = steps.find(({ done }) => !done);
  if (next === undefined) return html``;
  const { t, link } = view;
  return html`<section class="group first-steps" aria-labelledby="first-steps"><h2 id="first-steps">${t("desk.first.title")}</h2>
    <ol class="plain">${steps.map(
      ({
        key,
        done,
        path,
      }) => html`<li class="${done ? "done" : ""}" ${key === next.key ? html`aria-current="step"` : ""}>
        ${icon(done ? "check" : "next")}<div><a href="${link(path)}">${t(`desk.first.${key}`)}</a>${done ? html` <small>${t("desk.first.done")}</small>` : ""}
        ${done ? "" : html`<p class="help">${t(`desk.first.${key}Text`)}</p>`}</div></li>`,
    )}</ol>
    <form class="row" method="post" action="${link(PATH)}">${csrfField(view)}
      <button class="quiet small">${t("desk.first.close")}</button></form>
  </section>`;
}

/** A link to the next step that another page than this one takes; nothing if the guide is done or closed. */
export async function nextStep(sql: Sql, view: View, here: string): Promise<Html> {
  const { t, link, caller } = view;
  if (!mayUse(caller, NEEDS)) return html``;
  const steps = await stepsOf(sql, view, countsOf(await countByStatus(sql, caller)));
  const next = steps.find(({ done, path }) => !done && path !== here);
  return next
    ? html`<a href="${link(next.path)}">${t("desk.first.title")}${t("form.colon")} ${t(`desk.first.${next.key}`)}</a>`
    : html``;
}

export function countsOf(counted: Awaited<ReturnType<typeof countByStatus>>): Counts {
  const counts = new Map<Kind, Partial<Record<Status, number>>>();
  for (const { record_type, status, n } of counted)
    counts.set(record_type, { ...counts.get(record_type), [status]: n });
  return counts;
}

/** None if somebody closed the guide. */
async function stepsOf(sql: Sql, { settings }: View, counts: Counts) {
  const [known] = await sql<Known[]>`
    select guide_closed, exists (select from imports where source <> 'edit') as imported,
      exists (select from object_media where deleted_at is null) as pictured
    from configuration`;
  const { guide_closed, imported, pictured } = known!;
  if (guide_closed) return [];
  const isPublic = (kind: Kind) => (counts.get(kind)?.public ?? 0) > 0;
  return [
    {
      key: "name",
      done: Object.keys(settings.name).length > 0 && settings.logo !== null,
      path: "/admin/settings",
    },
    { key: "import", done: imported, path: "/admin/imports" },
    { key: "photos", done: pictured, path: photosPath },
    { key: "people", done: isPublic("entity"), path: listPath("entity") },
    { key: "look", done: isPublic("object"), path: isPublic("object") ? "/" : listPath("object") },
  ] as const;
}

function firstRecord(view: View): Html {
  const { t, link } = view;
  if (!mayDo(view.caller, "create", "object")) return html``;
  return note(
    "information",
    html`<h2>${t("desk.first.title")}</h2><p>${t("desk.first.text")}</p>
      <p><a class="button" href="${link(`${listPath("object")}/new`)}">${t("admin.new.object")}</a></p>`,
  );
}

export function firstStepRoutes(api: Api, pages: Pages): void {
  const { sql } = api.services;
  pageForm(api, pages, {
    path: PATH,
    summary: "Close the guide for the first minutes",
    access: { feature: NEEDS },
    async take(view) {
      await sql`update configuration set guide_closed = true`;
      return redirectTo(view, "/admin");
    },
  });
}
