/** Pictures and files of an object with their descriptions, and a form to add more. */
import { html } from "hono/html";
import { mayUse } from "../../caller.ts";
import { offsetOf } from "../../http/answer/list-envelope.ts";
import type { Api } from "../../http/endpoint.ts";
import { readAs } from "../../http/faults.ts";
import { MediumChangeShape } from "../../media/shape.ts";
import { upload } from "../../media/upload.ts";
import { changeMedium, missingMedium, removeMedium } from "../../media/write.ts";
import { said, say, toldFrom } from "../../messages/said.ts";
import { csrfField, csrfQuery, option } from "../../pages/forms.ts";
import { icon } from "../../pages/icons.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { partLinks } from "../../pages/parts.ts";
import { pageForm, pageUpload } from "../../pages/routes.ts";
import type { Html, PageView, View } from "../../pages/view.ts";
import { invalid, Problem } from "../../problem.ts";
import { tracksOf } from "../../records/media/captions.ts";
import type { Medium } from "../../records/media/medium.ts";
import { isPicture, sizedImage } from "../../records/media/pictures.ts";
import { countMedia, listMedia } from "../../records/media/store.ts";
import type { Entry, RecordRow } from "../../records/record.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services } from "../../services.ts";
import { demandRow, type OnRecord, type SideForm } from "../asked.ts";
import { recordPath } from "../sections.ts";
import type { TermChoice } from "./controls.ts";
import { rightsControl } from "./rights-control.ts";

/** The most files on one page. */
const MOST = 200;
const THUMBNAIL = 240;
const OBJECT = "/admin/objects/{id}";

/** @param part of a long list */
export async function mediaSection(
  { sql }: Services,
  view: View,
  objectId: string,
  part: number,
  rights: readonly TermChoice[],
): Promise<Html> {
  const { t, link } = view;
  const long = { total: await countMedia(sql, view.caller, objectId), size: MOST };
  const page = { limit: MOST, offset: offsetOf(part, long) };
  const media = await listMedia(sql, view.caller, objectId, page);
  const record = link(recordPath("object", objectId));
  const mayChange = mayUse(view.caller, "media:write");
  const played = media.filter(({ category }) => category === "video" || category === "audio");
  const tracks = new Set(played.flatMap((one) => tracksOf(one, media).map(({ medium }) => medium.id)));
  const isAlone = ({ id, category }: Medium) => category === "captions" && !tracks.has(id);
  return html`<section class="group" id="media" aria-labelledby="media-title">
    <h2 id="media-title">${t("admin.media")}</h2>
    ${media.length === 0 ? html`<p class="help">${t("admin.media.none")}</p>` : html`<ul class="files">${media.map((medium) => fileItem(view, medium, mayChange, rights, isAlone(medium)))}</ul>`}
    ${partLinks(view, part, long, (next) => `${record}?part=${next}#media`)}
    ${mayChange ? uploadForm(view, record) : ""}
  </section>`;
}

/** @param record its address, because the form may also be on the page of a refused deletion, which cannot be reloaded */
function uploadForm(view: View, record: string): Html {
  const { t } = view;
  return html`<form class="drop" method="post" enctype="multipart/form-data" action="${record}/media${csrfQuery(view)}" data-upload data-colon="${t("form.colon")}">
    <label for="file"><b>${t("admin.media.add")}</b><span class="help">${t("admin.media.addHelp")}</span></label>
    <input id="file" type="file" name="file" required multiple>
    <button class="quiet">${t("admin.media.upload")}</button>
    <ul class="plain" data-progress aria-live="polite"></ul>
    <p data-again hidden><a class="button quiet" href="${record}">${t("errorPage.again")}</a></p>
  </form>`;
}

/** @param isAlone captions without their film or sound */
function fileItem(
  view: View,
  medium: Medium,
  mayChange: boolean,
  rights: readonly TermChoice[],
  isAlone: boolean,
): Html {
  const { t, link, formats } = view;
  const small = isPicture(medium) ? sizedImage(link(""), medium, THUMBNAIL) : null;
  const file = link(`/objects/${medium.object_id}/media/${medium.id}/file`);
  const marks = [
    medium.is_primary && t("admin.media.primary"),
    medium.visibility === "private" && t("admin.media.private"),
    medium.status === "pending" && t("admin.media.pending"),
  ].filter(Boolean);
  return html`<li>
    <a class="preview" href="${file}"${small ? "" : html` aria-label="${medium.filename}"`}>${small ? html`<img src="${small.address}" width="${small.width}" height="${small.height}" alt="${medium.alt_text[0]?.value ?? medium.filename}" loading="lazy">` : icon("file")}</a>
    <p><span dir="auto">${medium.filename}</span> <small>${formats.bytes(medium.bytes)}${medium.width ? ` · ${medium.width} × ${medium.height}` : ""}${marks.length > 0 ? ` · ${marks.join(" · ")}` : ""}</small></p>
    ${medium.status === "error" ? html`<p class="fault">${medium.error_detail ? say(t, toldFrom(medium.error_detail)) : t("admin.media.broken")}</p>` : ""}
    ${isAlone ? html`<p class="fault">${t("admin.media.captionsAlone")}</p>` : ""}
    ${mayChange ? changeForm(view, medium, rights) : ""}
  </li>`;
}

const INPUTS = {
  caption: "admin.media.caption",
  alt_text: "admin.media.altText",
  license_uri: "admin.media.license",
  rights_holder: "manifest.rightsHolder",
  visibility: "admin.media.visibility",
  position: "admin.media.position",
} as const;

/** The inputs of the form of one file. */
function inputsOf(medium: string): SideForm {
  return Object.fromEntries(
    Object.entries(INPUTS).map(([name, label]) => [name, { id: `${name}-${medium}`, label }]),
  );
}

function changeForm(view: View, medium: Medium, rights: readonly TermChoice[]): Html {
  const { t, link } = view;
  const path = link(`${recordPath("object", medium.object_id)}/media/${medium.id}`);
  const id = (name: string) => `${name}-${medium.id}`;
  return html`<details><summary>${t("admin.media.edit")}</summary>
    <form class="stack" method="post" action="${path}">
      ${csrfField(view)}
      <input type="hidden" name="version" value="${String(medium.version)}">
      ${texts(view, medium, "caption")}
      ${texts(view, medium, "alt_text")}
      <div class="field"><label for="${id("license_uri")}">${t(INPUTS.license_uri)}</label>
        ${rightsControl(view, html`id="${id("license_uri")}" name="license_uri"`, medium.license_uri ?? "", rights)}</div>
      <div class="field"><label for="${id("rights_holder")}">${t(INPUTS.rights_holder)}</label>
        <input id="${id("rights_holder")}" name="rights_holder" value="${medium.rights_holder ?? ""}" maxlength="500"></div>
      <div class="pairs">
        <div class="field"><label for="${id("visibility")}">${t(INPUTS.visibility)}</label>
          <select id="${id("visibility")}" name="visibility">
            ${(["public", "private"] as const).map((each) => option(each, t(`admin.media.${each}`), medium.visibility))}
          </select></div>
        <div class="field"><label for="${id("position")}">${t(INPUTS.position)}</label>
          <input id="${id("position")}" name="position" type="number" min="1" value="${String(medium.position)}"></div>
      </div>
      ${medium.is_primary || medium.category === "captions" ? "" : html`<label class="tick"><input type="checkbox" name="is_primary" value="true"> ${t("admin.media.makePrimary")}</label>`}
      <div class="row"><button>${t("admin.save")}</button>
        <button class="danger" formaction="${path}/remove" formnovalidate>${t("admin.media.remove")}</button></div>
    </form></details>`;
}

function texts(view: View, medium: Medium, name: "caption" | "alt_text"): Html {
  const label = view.t(INPUTS[name]);
  const rows: (Entry | null)[] = [...medium[name], null];
  return html`<fieldset class="field" id="${name}-${medium.id}"><legend>${label}</legend><div class="entries">${rows.map(
    (entry, index) => html`<div class="entry">
      <input name="${name}/${index}/value" value="${entry?.value ?? ""}" dir="auto" maxlength="5000" aria-label="${label} ${index + 1}">
      <input class="language" name="${name}/${index}/lang" value="${entry?.lang ?? ""}" maxlength="35" list="languages" placeholder="${view.t("admin.language")}" aria-label="${view.t("admin.language")}">
    </div>`,
  )}</div></fieldset>`;
}

export function mediaFormRoutes(api: Api, pages: Pages, onRecord: OnRecord): void {
  const { services } = api;
  const access = { feature: "media:write" };

  pageUpload(api, pages, {
    path: `${OBJECT}/media`,
    summary: "Add a file to an object",
    access,
    take: (view) =>
      onRecord(services, view, "object", async ({ id }) => {
        await upload(services, view.caller, id, view.c.req.raw);
        return redirectTo(view, `${recordPath("object", id)}#media`, "admin.media.added");
      }),
  });

  pageForm(api, pages, {
    path: `${OBJECT}/media/{medium}`,
    summary: "Change what is said of a file",
    access,
    take: (view, fields) => {
      const medium = mediumIn(view);
      const act = async ({ id }: RecordRow) => {
        const params = { id, media_id: medium };
        const read = readAs(MediumChangeShape, changeOf(fields));
        if ("faults" in read) throw invalid(read.faults);
        const seen = Number(fields.get("version"));
        await changeMedium(services, view.caller, params, read.data, ({ version }) => {
          if (version !== seen) throw new Problem("stale", said("admin.media.stale"));
        });
        return redirectTo(view, `${recordPath("object", id)}#media`, "form.saved");
      };
      return onRecord(services, view, "object", act, inputsOf(medium));
    },
  });

  pageForm(api, pages, {
    path: `${OBJECT}/media/{medium}/remove`,
    summary: "Put a file into the trash",
    access,
    async take(view) {
      const { id } = await demandRow(services, view, "object");
      await removeMedium(services, view.caller, { id, media_id: mediumIn(view) }, () => undefined);
      return redirectTo(view, `${recordPath("object", id)}#media`, "admin.media.removed");
    },
  });
}

function mediumIn({ c }: PageView): string {
  const id = c.req.param("medium") ?? "";
  if (IdShape.safeParse(id).success) return id;
  throw missingMedium(id);
}

/** The changes in the form. An emptied field is removed. */
function changeOf(fields: ReadonlyMap<string, string>): Record<string, unknown> {
  const entries = (name: string): Entry[] =>
    [...fields].flatMap(([key, value]) => {
      const index = new RegExp(`^${name}/(\\d{1,3})/value$`).exec(key)?.[1];
      if (index === undefined) return [];
      const lang = fields.get(`${name}/${index}/lang`)?.trim();
      return [lang ? { value, lang } : { value }];
    });
  return {
    caption: entries("caption"),
    alt_text: entries("alt_text"),
    license_uri: fields.get("license_uri") ?? null,
    rights_holder: fields.get("rights_holder") ?? null,
    visibility: fields.get("visibility"),
    position: Number(fields.get("position")),
    ...(fields.has("is_primary") ? { is_primary: true } : {}),
  };
}
