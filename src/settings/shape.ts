/** The settings as callers write and read them. */
import { z } from "zod";
import { demandText } from "../http/text-shape.ts";
import { said, toldText } from "../messages/said.ts";
import { isKind } from "../records/kinds.ts";
import { IdShape } from "../records/shape.ts";
import { LabelsShape, patchShape, textPerLanguage, tooLong } from "../vocabularies/shape.ts";
import { hardToRead, type Scheme } from "./colours.ts";
import { isSetQuery } from "./set-query.ts";

const perLanguage = (max: number, description: string) =>
  textPerLanguage(max, 0)
    .default({})
    .openapi({ description: `${description}, per language (BCP 47)` });

const ADDRESS = /^https?:\/\/[^\s<>"|\\^`\p{Cc}]+$/u;
/** Also a mail address, and a path of this service. */
const LINK = /^(https?:\/\/|mailto:[^\s@]+@|\/(?!\/))[^\s<>"{}|\\^`\p{Cc}]*$/u;
const Text = z.string().max(2_000, tooLong(2_000));
const isAddress = (text: string): boolean => ADDRESS.test(text) && URL.canParse(text);
const Address = Text.refine(isAddress, toldText(said("fault.address.web")));

/** The placeholder for the manifest's address. */
export const MANIFEST = "{manifest}";
const DEFAULT_VIEWER = `https://projectmirador.org/embed/?iiif-content=${MANIFEST}`;

/** At the foot of the pages. */
export const MOST_LINKS = 12;
export const MOST_HIGHLIGHTS = 24;

/** Sets of OAI-PMH of the museum's own. */
export const MOST_SETS = 50;

const FooterLink = z.strictObject({
  label: LabelsShape,
  url: Text.refine(
    (text) => LINK.test(text) && URL.canParse(text, "https://museum.example"),
    toldText(said("fault.address.link")),
  ).openapi({ example: "https://museum.example/imprint" }),
});

function colour(scheme: Scheme, description: string) {
  return z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, toldText(said("fault.colour.form")))
    .transform((text) => text.toLowerCase())
    .superRefine((text, context) => {
      const fault = hardToRead(text, scheme);
      if (fault !== null) context.addIssue({ code: "custom", message: toldText(fault) });
    })
    .nullable()
    .default(null)
    .openapi({ type: ["string", "null"], description, example: "#14575e" });
}

const HarvestSet = z.strictObject({
  spec: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,62}$/, toldText(said("fault.harvest_set.form")))
    .refine((spec) => !isKind(spec), toldText(said("fault.harvest_set.taken")))
    .openapi({ description: "The setSpec of OAI-PMH", example: "silver" }),
  label: LabelsShape,
  query: Text.refine(isSetQuery, {
    error: toldText(said("fault.harvest_set.query")),
  }).openapi({
    description:
      "A search, as parameters of /v1/search: `type`, `<type>_type`, `collection_status`, `meta_<field>`; if one is given several times, any of the values matches",
    example: "type=object&meta_material=silver",
  }),
});

const writable = {
  name: perLanguage(120, "The museum's name"),
  sentence: perLanguage(300, "A sentence about the museum, on the first page"),
  home_text: perLanguage(5_000, "Plain text on the first page; an empty line starts a new paragraph"),
  address: z
    .string()
    .trim()
    .max(500, tooLong(500))
    .superRefine(demandText)
    .default("")
    .openapi({ description: "Postal address, in lines", example: "Harbour 1\n1234 Example" }),
  homepage_url: Address.nullable().default(null).openapi({
    description: "The museum's own site",
    example: "https://museum.example",
  }),
  accent_colour: colour("light", "The colour of links and buttons in the light scheme; null: the default"),
  accent_colour_dark: colour(
    "dark",
    "The colour of links and buttons in the dark scheme; null: a lighter shade of `accent_colour`",
  ),
  typeface: z
    .enum(["serif", "sans"])
    .default("serif")
    .openapi({ description: "The typeface of titles and long texts" }),
  show_borrower: z.boolean().default(false).openapi({
    description: "The page of a lent object names the borrower, if the borrower's record is public",
  }),
  footer_text: perLanguage(1_000, "At the foot of every page"),
  footer_links: z
    .array(FooterLink)
    .max(MOST_LINKS, toldText(said("fault.too_many.links", { most: MOST_LINKS })))
    .default([]),
  highlights: z
    .array(IdShape)
    .max(MOST_HIGHLIGHTS, toldText(said("fault.too_many.records", { most: MOST_HIGHLIGHTS })))
    .refine((ids) => new Set(ids).size === ids.length, toldText(said("fault.twice.record")))
    .default([])
    .openapi({
      description: "Records on the first page, in their order; visitors see those that are public",
    }),
  metadata_rights: Address.nullable().default(null).openapi({
    description: "The licence of the metadata (not of the pictures) for harvesters; null: none is stated",
    example: "https://creativecommons.org/publicdomain/zero/1.0/",
  }),
  harvest_sets: z
    .array(HarvestSet)
    .max(MOST_SETS, toldText(said("fault.too_many.sets", { most: MOST_SETS })))
    .refine(
      (sets) => new Set(sets.map(({ spec }) => spec)).size === sets.length,
      toldText(said("fault.twice.set")),
    )
    .default([])
    .openapi({ description: "OAI-PMH sets besides those of record types and collections" }),
  viewer_url: Text.refine((text) => text === "" || (isAddress(text) && text.includes(MANIFEST)), {
    error: toldText(said("fault.address.viewer", { placeholder: MANIFEST })),
  })
    .default(DEFAULT_VIEWER)
    .openapi({
      description: `The address behind "open in a viewer"; ${MANIFEST} is replaced by the address of the object's IIIF manifest. Empty: no such link`,
    }),
};

export const LogoShape = z
  .object({
    url: z.string().openapi({ example: "http://127.0.0.1:8000/logo/5f2a91c0d4e5" }),
    width: z.int(),
    height: z.int(),
  })
  .openapi("Logo");

/** Validates the settings after a PATCH. Members that are missing, or removed with null, have their default. */
export const SettingsContentShape = z.strictObject(writable).openapi("SettingsContent");
export const SettingsShape = z.object({ ...writable, logo: LogoShape.nullable() }).openapi("Settings");
export const SettingsPatchShape = patchShape("SettingsPatch", "the settings");

export type SettingsContent = z.output<typeof SettingsContentShape>;
