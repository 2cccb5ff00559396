/** The settings of the museum, a short page with a form each: name and logo, colours, first page, footer, programs. */
import { html } from "hono/html";
import { tagOf } from "../../http/answer/resource-answers.ts";
import { type Api, requesterOf } from "../../http/endpoint.ts";
import { csrfField, csrfQuery, faultSummary } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm, pageUpload } from "../../pages/routes.ts";
import type { Html, PageView, StaffView, View } from "../../pages/view.ts";
import type { Problem } from "../../problem.ts";
import { mergePatch } from "../../records/shape.ts";
import { changeSettings } from "../../settings/change.ts";
import { LARGEST_LOGO, takeLogo } from "../../settings/logo.ts";
import { replaceLogo } from "../../settings/routes.ts";
import { logoPath, type Settings, settingsOf } from "../../settings/settings.ts";
import { formWithFile, refusal } from "../asked.ts";
import { nextStep } from "../first-steps.ts";
import { adminAnswer } from "../layout.ts";
import { controlHtml, patchOf, type Values } from "./controls.ts";
import { highlightsControl, highlightsOf, idsOf, sentHighlights } from "./highlights.ts";
import { expectedOf, faultsToShow } from "./resource-pages.ts";
import { filled, PARTS, type Part, partPath, settingsParts } from "./settings-parts.ts";

const PATH = "/admin/settings";
const access = { feature: "settings:manage" };

/** The settings that the forms of these pages show. */
const shown = ({ version: _, ...settings }: Settings) => settings;

/** `highlights`: the texts as typed. */
type Typed = { values: Values; highlights?: readonly string[] };

export function settingsPages(api: Api, pages: Pages): void {
  const { services } = api;
  for (const part of PARTS) {
    page(api, pages, {
      path: partPath(part),
      summary: `The settings of the museum: ${part}`,
      access,
      show: (view) => settingsPage(api, view, part),
    });

    if (part === "museum") continue;
    pageForm(api, pages, {
      path: partPath(part),
      summary: `Change the settings of the museum: ${part}`,
      access,
      take: (view, fields) => saveSettings(api, view, fields, part),
    });
  }

  pageUpload(api, pages, {
    path: PATH,
    summary: "Change the settings of the museum: museum",
    access,
    async take(view) {
      try {
        const { bytes, fields } = await formWithFile(view, LARGEST_LOGO);
        const logo = bytes.length > 0 ? () => takeLogo(services, bytes) : undefined;
        return await saveSettings(api, view, fields, "museum", logo);
      } catch (error) {
        return settingsPage(api, view, "museum", undefined, refusal(error));
      }
    },
  });

  pageForm(api, pages, {
    path: `${PATH}/logo/remove`,
    summary: "Remove the logo",
    access,
    async take(view) {
      await replaceLogo(api, requesterOf(view.c), null);
      return redirectTo(view, PATH, "settings.logoRemoved");
    },
  });
}

/** `logo`: from the form. If it is invalid, nothing is saved. */
async function saveSettings(
  api: Api,
  view: StaffView,
  fields: ReadonlyMap<string, string>,
  part: Part,
  logo?: () => ReturnType<typeof takeLogo>,
): Promise<Response> {
  const { services } = api;
  const current = shown(await settingsOf(services));
  const patch = patchOf(settingsParts(view, current)[part], fields, current);
  const highlights = sentHighlights(fields);
  try {
    const changes = { ...patch };
    if (part === "home") changes.highlights = await idsOf(services.sql, view.caller, highlights);
    for (const list of ["footer_links", "harvest_sets"])
      if (list in patch) changes[list] = filled(patch[list]);
    const taken = await logo?.();
    await changeSettings(services, requesterOf(view.c), expectedOf(fields), changes, shown);
    if (taken) await replaceLogo(api, requesterOf(view.c), taken);
    return redirectTo(view, partPath(part), "form.saved");
  } catch (error) {
    const values = mergePatch(current, patch) as Values;
    return settingsPage(api, view, part, { values, highlights }, refusal(error));
  }
}

async function settingsPage(
  { services }: Api,
  view: PageView,
  part: Part,
  typed?: Typed,
  refused?: Problem,
): Promise<Response> {
  const { t, link, asset, nonce } = view;
  const settings = await settingsOf(services);
  const values: Values = typed?.values ?? settings;
  const controls = settingsParts(view, settings)[part];
  const faults = faultsToShow(view, refused);
  const highlights =
    part === "home"
      ? highlightsControl(
          view,
          await highlightsOf(services.sql, view, settings.highlights),
          typed?.highlights,
          faults,
        )
      : "";
  return adminAnswer(view, {
    at: PATH,
    title: t("settings.title"),
    status: refused?.status,
    head:
      part === "look"
        ? html`<script type="module" src="${asset("colours.js")}" nonce="${nonce}"></script>`
        : html``,
    content: html`<h1>${t("settings.title")}</h1><p class="help">${t("settings.lead")}</p>
      <nav class="tabs" aria-label="${t("settings.title")}"><ul class="row plain">${PARTS.map(
        (each) =>
          html`<li><a href="${link(partPath(each))}" ${each === part ? html`aria-current="page"` : ""}>${t(`settings.part.${each}`)}</a></li>`,
      )}</ul></nav>
      ${faultSummary(view, controls, faults)}
      ${part === "museum" ? logoSection(view, settings) : ""}
      <form class="stack group" method="post" ${part === "museum" ? html`enctype="multipart/form-data" action="${link(PATH)}${csrfQuery(view)}"` : html`action="${link(partPath(part))}"`} aria-labelledby="part">${part === "museum" ? "" : csrfField(view)}
        <h2 id="part">${t(`settings.part.${part}`)}</h2>
        <input type="hidden" name="tag" value="${(await tagOf(shown(settings))).replaceAll('"', "")}">
        ${highlights}
        ${part === "museum" ? html`<label class="field"><b>${t("settings.logoFile")}</b><span class="help">${t("settings.logoHelp")}</span><input type="file" name="file" accept="image/png,image/jpeg,image/webp"></label>` : ""}
        ${controls.map((control) => controlHtml(view, control, values, faults))}
        ${part === "look" ? colourPreview(view) : ""}
        <div class="row"><button>${t("admin.save")}</button></div></form>
      ${part === "museum" ? await nextStep(services.sql, view, PATH) : ""}`,
  });
}

/** The script shows it with the chosen, unsaved colours. */
function colourPreview({ t }: View): Html {
  const panel = (scheme: "light" | "dark") =>
    html`<div data-scheme="${scheme}"><b>${t(`settings.preview.${scheme}`)}</b> <span class="link">${t("settings.preview.link")}</span> <span class="button">${t("settings.preview.button")}</span></div>`;
  return html`<div class="colour-preview" data-pick-colour="${t("form.colon")} ${t("settings.pick")}" hidden>${panel("light")}${panel("dark")}</div>`;
}

function logoSection(view: View, { logo }: Settings): Html {
  const { t, link } = view;
  return html`<section class="group" aria-labelledby="logo"><h2 id="logo">${t("settings.logo")}</h2>
    ${logo ? html`<p><img class="logo-shown" src="${link(logoPath(logo))}" width="${logo.width}" height="${logo.height}" alt="${t("settings.logo")}"></p>` : html`<p class="help">${t("settings.noLogo")}</p>`}
    ${logo ? html`<form method="post" action="${link(`${PATH}/logo/remove`)}">${csrfField(view)}<button class="danger">${t("settings.logoRemove")}</button></form>` : ""}
  </section>`;
}
