/** What the museum says of itself: name, texts, logo, colours, links and highlights. */
import { html } from "hono/html";
import { tagOf } from "../../http/answer/resource-answers.ts";
import { type Api, accountOf, type Ctx, requesterOf } from "../../http/endpoint.ts";
import { csrfField, csrfQuery, faultSummary } from "../../pages/forms.ts";
import { type Pages, redirectTo } from "../../pages/page.ts";
import { page, pageForm, pageUpload } from "../../pages/routes.ts";
import type { Html, View } from "../../pages/view.ts";
import type { Problem } from "../../problem.ts";
import { mergePatch } from "../../records/shape.ts";
import { changeSettings } from "../../settings/change.ts";
import { LARGEST_LOGO, takeLogo } from "../../settings/logo.ts";
import { replaceLogo } from "../../settings/routes.ts";
import { logoPath, type Settings, settingsOf } from "../../settings/settings.ts";
import { MOST_LINKS, MOST_SETS } from "../../settings/shape.ts";
import { bytesOfForm, refusal } from "../asked.ts";
import { adminAnswer } from "../layout.ts";
import { type Control, controlHtml, patchOf, type Values } from "./controls.ts";
import { idsOf, numbersOf } from "./highlights.ts";
import { expectedOf, faultsToShow } from "./resource-pages.ts";

const PATH = "/admin/settings";
const access = { feature: "settings:manage" };

/** What a form of this page was made from. */
const shown = ({ version: _, ...settings }: Settings) => settings;

export function settingsPages(api: Api, pages: Pages): void {
  const { services } = api;

  page(api, pages, {
    path: PATH,
    summary: "The settings of the museum",
    access,
    show: ({ c, view }) => settingsPage(api, c, view),
  });

  pageForm(api, pages, {
    path: PATH,
    summary: "Change the settings of the museum",
    access,
    async take({ c, view, caller, fields }) {
      const current = shown(await settingsOf(services));
      const patch = patchOf(settingsControls(view, current), fields, current);
      try {
        const highlights = await idsOf(services.sql, accountOf(caller), String(patch.highlights ?? ""));
        const changes = {
          ...patch,
          highlights,
          footer_links: filled(patch.footer_links),
          harvest_sets: filled(patch.harvest_sets),
        };
        await changeSettings(services, requesterOf(c), expectedOf(fields), changes, shown);
        return redirectTo(c, view, view.link(PATH), "form.saved");
      } catch (error) {
        const values = { ...(mergePatch(current, patch) as Values), highlights: patch.highlights };
        return settingsPage(api, c, view, values, refusal(error));
      }
    },
  });

  pageUpload(api, pages, {
    path: `${PATH}/logo`,
    summary: "Change the logo",
    access,
    async take({ c, view }) {
      try {
        const logo = await takeLogo(services, await bytesOfForm(c, LARGEST_LOGO));
        await replaceLogo(api, requesterOf(c), logo);
        return redirectTo(c, view, view.link(PATH), "form.saved");
      } catch (error) {
        return settingsPage(api, c, view, undefined, refusal(error));
      }
    },
  });

  pageForm(api, pages, {
    path: `${PATH}/logo/remove`,
    summary: "Remove the logo",
    access,
    async take({ c, view }) {
      await replaceLogo(api, requesterOf(c), null);
      return redirectTo(c, view, view.link(PATH), "settings.logoRemoved");
    },
  });
}

/** The rows that say something, as a list. */
function filled(rows: unknown): unknown[] {
  return Object.values((rows ?? {}) as Record<string, Record<string, unknown>>)
    .filter((row) => Object.values(row).some((value) => value !== null))
    .map((row) => mergePatch({}, row));
}

type Lists = Pick<Settings, "footer_links" | "harvest_sets" | "metadata_rights">;

const PARTS = ["museum", "look", "footer", "machines"] as const;
type Part = (typeof PARTS)[number];

const settingsControls = (view: View, lists: Lists): Control[] => {
  const parts = settingsParts(view, lists);
  return PARTS.flatMap((part) => parts[part]);
};

function settingsParts({ t }: View, lists: Lists): Record<Part, Control[]> {
  const rows = Math.min(lists.footer_links.length + 1, MOST_LINKS);
  const museum: Control[] = [
    { as: "texts", name: "name", label: t("settings.name") },
    { as: "texts", name: "sentence", label: t("settings.sentence"), help: t("settings.sentenceHelp") },
    {
      as: "texts",
      name: "home_text",
      label: t("settings.homeText"),
      rows: 4,
      help: t("settings.homeTextHelp"),
    },
    {
      as: "text",
      name: "highlights",
      label: t("settings.highlights"),
      rows: 4,
      help: t("settings.highlightsHelp"),
    },
    { as: "text", name: "address", label: t("settings.address"), rows: 3 },
    { as: "text", name: "homepage_url", label: t("settings.homepage") },
    {
      as: "tick",
      name: "show_borrower",
      label: t("settings.showBorrower"),
      help: t("settings.showBorrowerHelp"),
    },
  ];
  const look: Control[] = [
    { as: "text", name: "accent_colour", label: t("settings.accent"), help: t("settings.accentHelp") },
    {
      as: "text",
      name: "accent_colour_dark",
      label: t("settings.accentDark"),
      help: t("settings.accentDarkHelp"),
    },
    {
      as: "choice",
      name: "typeface",
      label: t("settings.typeface"),
      options: [
        { value: "serif", label: t("settings.serif") },
        { value: "sans", label: t("settings.sans") },
      ],
    },
  ];
  const footer: Control[] = [
    { as: "texts", name: "footer_text", label: t("settings.footer"), rows: 2 },
    ...Array.from({ length: rows }, (_, index): Control[] => [
      { as: "texts", name: `footer_links/${index}/label`, label: t("settings.link", { number: index + 1 }) },
      {
        as: "text",
        name: `footer_links/${index}/url`,
        label: t("settings.linkAddress", { number: index + 1 }),
      },
    ]).flat(),
  ];
  const machines: Control[] = [
    {
      as: "text",
      name: "viewer_url",
      label: t("settings.viewer"),
      help: t("settings.viewerHelp"),
      empty: "",
    },
    ...harvestControls(t, lists),
  ];
  return { museum, look, footer, machines };
}

/** Licences of metadata that aggregators know; portals as large as Europeana take nothing but the first. */
const LICENCES: readonly (readonly [address: string, name: string])[] = [
  ["https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"],
  ["https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"],
  ["https://creativecommons.org/licenses/by-sa/4.0/", "CC BY-SA 4.0"],
];

/** What harvesters are told (OAI-PMH, LIDO). */
function harvestControls(t: View["t"], { harvest_sets, metadata_rights: current }: Lists): Control[] {
  const isOther = current !== null && !LICENCES.some(([address]) => address === current);
  const rows = Math.min(harvest_sets.length + 1, MOST_SETS);
  return [
    {
      as: "choice",
      name: "metadata_rights",
      label: t("settings.metadataRights"),
      help: t("settings.metadataRightsHelp"),
      options: [
        { value: "", label: t("settings.rightsUntold") },
        ...LICENCES.map(([value, label]) => ({ value, label })),
        ...(isOther ? [{ value: current, label: current }] : []),
      ],
    },
    ...Array.from({ length: rows }, (_, index): Control[] => {
      const at = `harvest_sets/${index}`;
      const number = index + 1;
      const help = t("settings.setQueryHelp");
      return [
        {
          as: "text",
          name: `${at}/spec`,
          label: t("settings.setSpec", { number }),
          help: t("settings.setSpecHelp"),
        },
        { as: "texts", name: `${at}/label`, label: t("settings.setLabel", { number }) },
        { as: "text", name: `${at}/query`, label: t("settings.setQuery", { number }), help },
      ];
    }).flat(),
  ];
}

async function settingsPage(
  { services }: Api,
  c: Ctx,
  view: View,
  typed?: Values,
  refused?: Problem,
): Promise<Response> {
  const { t, link } = view;
  const settings = await settingsOf(services);
  const highlights = await numbersOf(services.sql, accountOf(view.caller), settings.highlights);
  const values: Values = typed ?? { ...settings, highlights };
  const parts = settingsParts(view, settings);
  const controls = settingsControls(view, settings);
  const faults = faultsToShow(view, refused);
  return adminAnswer(c, view, {
    at: PATH,
    title: t("settings.title"),
    status: (refused?.status ?? 200) as 200 | 422,
    content: html`<h1>${t("settings.title")}</h1><p class="help">${t("settings.lead")}</p>
      ${faultSummary(view, controls, faults)}
      <nav aria-label="${t("admin.outline")}"><ul class="row plain">${PARTS.map(
        (part) => html`<li><a href="#part-${part}">${t(`settings.part.${part}`)}</a></li>`,
      )}<li><a href="#logo">${t("settings.logo")}</a></li></ul></nav>
      <form class="stack" method="post" action="${link(PATH)}">${csrfField(view)}
        <input type="hidden" name="tag" value="${(await tagOf(shown(settings))).replaceAll('"', "")}">
        ${PARTS.map(
          (part) => html`<section class="group" aria-labelledby="part-${part}">
          <h2 id="part-${part}">${t(`settings.part.${part}`)}</h2>
          ${parts[part].map((control) => controlHtml(view, control, values, faults))}</section>`,
        )}
        <div class="row"><button>${t("admin.save")}</button></div></form>
      ${logoSection(view, settings)}`,
  });
}

function logoSection(view: View, { logo }: Settings): Html {
  const { t, link } = view;
  return html`<section class="group" aria-labelledby="logo"><h2 id="logo">${t("settings.logo")}</h2>
    ${logo ? html`<p><img class="logo-shown" src="${link(logoPath(logo))}" width="${logo.width}" height="${logo.height}" alt="${t("settings.logo")}"></p>` : html`<p class="help">${t("settings.noLogo")}</p>`}
    <form class="stack" method="post" enctype="multipart/form-data" action="${link(`${PATH}/logo`)}${csrfQuery(view)}">
      <label class="field"><b>${t("settings.logoFile")}</b><span class="help">${t("settings.logoHelp")}</span><input type="file" name="file" required accept="image/png,image/jpeg,image/webp"></label>
      <button class="quiet">${t("admin.media.upload")}</button></form>
    ${logo ? html`<form method="post" action="${link(`${PATH}/logo/remove`)}">${csrfField(view)}<button class="danger">${t("settings.logoRemove")}</button></form>` : ""}
  </section>`;
}
