/** The parts of the settings, a short page each, with their controls. */
import type { View } from "../../pages/view.ts";
import { mergePatch } from "../../records/shape.ts";
import type { Settings } from "../../settings/settings.ts";
import { MOST_LINKS, MOST_SETS } from "../../settings/shape.ts";
import type { Control } from "./controls.ts";

/** The non-empty rows as a list. */
export function filled(rows: unknown): unknown[] {
  return Object.values((rows ?? {}) as Record<string, Record<string, unknown>>)
    .filter((row) => Object.values(row).some((value) => value !== null))
    .map((row) => mergePatch({}, row));
}

type Lists = Pick<Settings, "footer_links" | "harvest_sets" | "metadata_rights">;

export const PARTS = ["museum", "look", "home", "footer", "machines"] as const;
export type Part = (typeof PARTS)[number];

export const partPath = (part: Part): string => `/admin/settings${part === "museum" ? "" : `/${part}`}`;

export function settingsParts({ t }: View, lists: Lists): Record<Part, Control[]> {
  const rows = Math.min(lists.footer_links.length + 1, MOST_LINKS);
  const museum: Control[] = [
    { as: "texts", name: "name", label: t("settings.name") },
    { as: "texts", name: "sentence", label: t("settings.sentence"), help: t("settings.sentenceHelp") },
    { as: "text", name: "address", label: t("settings.address"), rows: 3 },
    { as: "text", name: "homepage_url", label: t("settings.homepage") },
    {
      as: "tick",
      name: "show_borrower",
      label: t("settings.showBorrower"),
      help: t("settings.showBorrowerHelp"),
    },
  ];
  const home: Control[] = [
    {
      as: "texts",
      name: "home_text",
      label: t("settings.homeText"),
      rows: 4,
      help: t("settings.homeTextHelp"),
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
  return { museum, look, home, footer, machines };
}

/** Licences of metadata that aggregators know. Large portals such as Europeana accept only the first. */
const LICENCES: readonly (readonly [address: string, name: string])[] = [
  ["https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"],
  ["https://creativecommons.org/licenses/by/4.0/", "CC BY 4.0"],
  ["https://creativecommons.org/licenses/by-sa/4.0/", "CC BY-SA 4.0"],
];

/** The settings for harvesters (OAI-PMH, LIDO). */
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
