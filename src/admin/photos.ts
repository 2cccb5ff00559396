/** The page for many photographs. The script sends each file in a separate request (`photos.js`); without it, the form sends all. */
import { html } from "hono/html";
import type { Api } from "../http/endpoint.ts";
import { type BatchItem, storeBatch } from "../media/batch.ts";
import { say } from "../messages/said.ts";
import { semicolonOf, withSemicolons } from "../messages/semicolons.ts";
import type { MessageKey } from "../messages/translate.ts";
import { formsOf } from "../pages/counted.ts";
import { csrfQuery, option } from "../pages/forms.ts";
import type { Pages } from "../pages/page.ts";
import { note } from "../pages/parts.ts";
import { page, pageUpload } from "../pages/routes.ts";
import type { Html, PageView, View } from "../pages/view.ts";
import type { Problem } from "../problem.ts";
import { VISIBILITIES } from "../records/media/medium.ts";
import { currentSchema } from "../records/schema.ts";
import type { Services } from "../services.ts";
import { refusal, refusalNote } from "./asked.ts";
import { termsOf } from "./editor/record-page.ts";
import { rightsControl, rightsVocabulary } from "./editor/rights-control.ts";
import { nextStep } from "./first-steps.ts";
import { adminAnswer } from "./layout.ts";
import { photosPath, recordPath } from "./sections.ts";

const STATES = [
  ...(["checking", "matched", "ambiguous", "unmatched"] as const),
  ...(["sending", "stored", "duplicate", "refused"] as const),
];

export function photoRoutes(api: Api, pages: Pages): void {
  const { services } = api;
  const access = { feature: "media:write" };
  page(api, pages, {
    path: photosPath,
    summary: "Add photographs to the objects that their names begin with",
    access,
    show: (view) => photosPage(services, view, {}),
  });
  pageUpload(api, pages, {
    path: photosPath,
    summary: "Store these files with their objects",
    access,
    async take(view) {
      try {
        const items = await storeBatch(services, view.caller, view.c.req.raw);
        return photosPage(services, view, { items });
      } catch (error) {
        return photosPage(services, view, { refused: refusal(error) });
      }
    },
  });
}

async function photosPage(
  services: Services,
  view: PageView,
  { items, refused }: { items?: readonly BatchItem[]; refused?: Problem },
): Promise<Response> {
  const { t, link } = view;
  const schema = await currentSchema(services.sql);
  const next = await nextStep(services.sql, view, photosPath);
  const rights = await termsOf(services, [{ vocabulary: rightsVocabulary(schema) }]);
  return adminAnswer(view, {
    at: photosPath,
    title: t("photos.title"),
    status: refused?.status,
    content: html`<h1>${t("photos.title")}</h1>
      ${refused ? refusalNote(view, refused) : ""}
      ${items ? html`${results(view, items)}<p>${next}</p>` : ""}
      <form class="drop photos" method="post" enctype="multipart/form-data" action="${link(`${photosPath}${csrfQuery(view)}`)}" data-photos data-words="${wordsOf(view)}" data-object="${link(recordPath("object", "{id}"))}">
        <p><b>${t("photos.drop")}</b><br><span class="help">${t("photos.dropText")}</span></p>
        <div class="filters">
          <label class="wide"><span>${t("photos.files")}</span><input type="file" name="file" multiple></label>
          <label class="wide"><span>${t("photos.folder")}</span><input type="file" name="file" multiple webkitdirectory></label>
        </div>
        <fieldset class="filters"><legend>${t("photos.forAll")}</legend>
          <label class="wide"><span>${t("admin.media.license")}</span>${rightsControl(view, html`name="license_uri"`, "", [...rights.values()].flat())}</label>
          <label class="wide"><span>${t("manifest.rightsHolder")}</span><input name="rights_holder" maxlength="500"></label>
          <label class="wide"><span>${t("admin.media.visibility")}</span><select name="visibility">${VISIBILITIES.map((each) => option(each, t(`admin.media.${each}`)))}</select></label>
        </fieldset>
        <button data-plain>${t("photos.send")}</button>
      </form>
      <section data-photo-list hidden aria-label="${t("photos.title")}">
        <div class="bar">
          <p class="what"><output role="status"></output><progress hidden aria-label="${t("photos.progress")}"></progress></p>
          <label class="tick"><input type="checkbox" data-only> ${t("photos.onlyProblems")} <span data-problems></span></label>
          <button data-retry hidden class="quiet">${t("photos.retry")}</button>
          <button data-stop hidden class="quiet">${t("photos.stop")}</button>
          <button data-start disabled>${t("photos.send")}</button>
        </div>
        ${table(view, html``)}
        <p data-next hidden>${next}</p>
      </section>`,
    head: html`<script type="module" src="${view.asset("photos.js")}" nonce="${view.nonce}"></script>`,
  });
}

/** The results for the files in the form. */
function results(view: View, items: readonly BatchItem[]): Html {
  const { t, link } = view;
  const there = items.filter(({ state }) => state === "stored" || state === "duplicate");
  const of = (key: MessageKey, count: number) => (count > 0 ? [t(key, { count })] : []);
  const sum = t("photos.sum", {
    photos: t("photos.count", { count: there.length }),
    objects: t("photos.objects", { count: new Set(there.map(({ object_id }) => object_id)).size }),
  });
  const without = of("photos.without", items.filter(({ state }) => state === "unmatched").length);
  const failed = of("photos.failed", items.filter(({ state }) => state === "refused").length);
  const rows = items.map(
    ({ filename, object_id, idno, state, reason }) => html`<tr data-state="${state}">
      <td></td><td dir="auto">${filename}</td>
      <td>${object_id ? html`<a href="${link(recordPath("object", object_id))}">${idno}</a>` : "–"}</td>
      <td>${t(`photos.state.${state}`)}${reason ? html` <small>${say(t, reason)}</small>` : ""}</td><td></td></tr>`,
  );
  return html`${note(there.length === items.length ? "success" : "warning", withSemicolons(t, [sum, ...without, ...failed]), "status")}
    ${table(view, html`${rows}`)}`;
}

function table({ t }: View, rows: Html): Html {
  return html`<table class="photo-rows">
    <thead><tr><th><span class="hidden">${t("photos.picture")}</span></th><th>${t("photos.file")}</th><th>${t("photos.object")}</th><th>${t("photos.state")}</th><th><span class="hidden">${t("photos.leaveOut")}</span></th></tr></thead>
    <tbody>${rows}</tbody></table>`;
}

/** The messages for the script. Those with a number come in every plural form; the script inserts the number. */
function wordsOf({ t }: View): string {
  const counted = (key: MessageKey) => formsOf(t, key);
  return JSON.stringify({
    states: Object.fromEntries(STATES.map((state) => [state, t(`photos.state.${state}`)])),
    sum: t("photos.sum", { photos: "{photos}", objects: "{objects}" }),
    photos: counted("photos.count"),
    objects: counted("photos.objects"),
    without: counted("photos.without"),
    failed: counted("photos.failed"),
    start: counted("photos.start"),
    checked: t("photos.checked", { done: "{done}", all: "{all}" }),
    sent: t("photos.sent", { done: "{done}", all: "{all}" }),
    choose: t("photos.choose", { file: "{file}" }),
    change: t("photos.change"),
    leaveOut: t("photos.leaveOut"),
    colon: t("form.colon"),
    semicolon: semicolonOf(t),
    unreadable: t("photos.unreadable"),
    lost: t("photos.lost"),
  });
}
