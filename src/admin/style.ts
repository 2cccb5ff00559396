/** All parts of pages on one page, for developers to check in both colour schemes and at every width. */
import { html } from "hono/html";
import type { Api } from "../http/endpoint.ts";
import { type FieldParts, faultSummary, field } from "../pages/forms.ts";
import { type Pages, pageAnswer } from "../pages/page.ts";
import { emptyState, note, paging, statusMark } from "../pages/parts.ts";
import { page } from "../pages/routes.ts";
import type { Html, View } from "../pages/view.ts";

const COLOURS = [
  ...[
    "ground-0",
    "ground-1",
    "ground-2",
    "ground-3",
    "ground-4",
    "ground-5",
    "ink-3",
    "ink-2",
    "ink-1",
    "ink-0",
  ],
  ...[
    "accent",
    "accent-strong",
    "accent-ground",
    "draft",
    "internal",
    "public",
    "warning",
    "error",
    "success",
  ],
];
const LONG =
  "View of the harbour at dusk with the fishing fleet coming home, the customs house on the left, three women with " +
  "baskets on the quay and the lighthouse in the distance, seen from the window of the painter’s room above the chandlery, " +
  "Donaudampfschiffahrtsgesellschaftskapitänskajütenfenster, about 1887";

export function styleRoutes(api: Api, pages: Pages): void {
  page(api, pages, {
    path: "/admin/style",
    summary: "All parts of a page",
    access: "account",
    show: ({ c, view }) => pageAnswer(c, view, { title: view.t("style.title"), content: content(view) }),
  });
}

function content(view: View): Html {
  const { t, formats } = view;
  const fields: FieldParts[] = [
    {
      name: "title",
      label: "Title",
      value: LONG,
      required: true,
      help: "As on the label beside the object.",
    },
    { name: "date", label: "Date", value: "about 1887" },
    { name: "note", label: "Note", rows: 3, isPrivate: true },
    {
      name: "type",
      label: "Type",
      options: [
        { value: "p", label: "Painting" },
        { value: "d", label: "Drawing" },
      ],
    },
  ];
  const faults = [{ pointer: "/date/0", detail: t("style.fault") }];
  return html`
    <section class="stack"><h1>${t("style.title")}</h1><p class="lead">${t("style.lead")}</p></section>
    <section class="stack"><h2>${t("style.type")}</h2>
      <h1>Harbour at dusk</h1><h2>Greta Lindqvist, 1887</h2><h3>Oil on canvas</h3>
      <p>The fleet comes home. <em>“So late,”</em> said the harbour master — and wrote it down: <a href="#content">12 boats</a>, 1887–1912. Łódź, Αθήνα, Москва.</p>
      <p class="help">${formats.day("2026-01-31T12:00:00")} · ${formats.time("2026-01-31T12:00:00")} · ${formats.number(1234567.5)} · ${formats.bytes(48_200_000)}</p>
    </section>
    <section class="stack"><h2>${t("style.colours")}</h2>
      <ul class="swatches">${COLOURS.map((name) => html`<li><i class="colour-${name}"></i>${name}</li>`)}</ul>
    </section>
    <section class="stack"><h2>${t("style.controls")}</h2>
      <div class="row"><button>Save</button><button class="quiet">Cancel</button><button class="danger">Delete</button><button disabled>Save</button></div>
      <div class="row">${statusMark(view, "draft")}${statusMark(view, "internal")}${statusMark(view, "public")}</div>
      ${paging(view, 3, 1200, (number) => `#page-${number}`)}
    </section>
    <section class="stack"><h2>${t("style.forms")}</h2>
      ${faultSummary(view, fields, faults)}
      <form class="stack">${fields.map((parts) => field(view, parts, faults))}</form>
    </section>
    <section class="stack"><h2>${t("style.notes")}</h2>
      ${note("information", t("signIn.again"))}${note("success", t("form.saved"))}
      ${note("warning", t("search.tooFar"))}${note("error", t("errorPage.503.do"))}
      ${emptyState(t("search.nothing"), t("search.nothingText"), html`<a class="button" href="#content">${t("search.all")}</a>`)}
    </section>
    <section class="stack"><h2>${t("style.tables")}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="${t("style.tables")}"><table>
        <thead><tr><th>Number</th><th>Title</th><th>Status</th><th class="number">Images</th></tr></thead>
        <tbody>
          <tr><td>OBJ-000001</td><td>Harbour at dusk</td><td>${statusMark(view, "public")}</td><td class="number">12</td></tr>
          <tr><td>1998.4.2a–c</td><td lang="ar" dir="rtl">منظر الميناء عند الغسق</td><td>${statusMark(view, "draft")}</td><td class="number">1,024</td></tr>
        </tbody>
      </table></div>
    </section>
    <section class="stack"><h2>${t("style.long")}</h2><h1>${LONG}</h1>
      <ul class="cards"><li><a href="#content"><b>${LONG}</b></a><small>OBJ-000001</small></li><li><a href="#content"><b>${t("style.untitled")}</b></a><small>OBJ-000002</small></li></ul>
    </section>`;
}
