/** An object as a IIIF manifest (Presentation API 3.0, https://iiif.io/api/presentation/3.0/). Pure: its input must contain only what visitors may see. */

import { isLanguageTag } from "../language-tag.ts";
import { languages, type MessageKey, translator } from "../messages/translate.ts";
import { dateInWords } from "../records/dates/in-words.ts";
import { tracksOf } from "../records/media/captions.ts";
import type { Medium } from "../records/media/medium.ts";
import { imageService, isPicture, isShown, type Picture, sizedImage } from "../records/media/pictures.ts";
import type { ShownEntry, ShownField } from "../records/public/terms.ts";
import { type Entry, entriesOf } from "../records/record.ts";
import type { Labels } from "../records/schema.ts";
import { rightsUri } from "../vocabularies/rights.ts";
import { plan } from "./geometry.ts";
import { type ImageRequest, readRequest } from "./request.ts";

export const PRESENTATION_CONTEXT = "http://iiif.io/api/presentation/3/context.json";

/** §4: a text by language, `none` for text without a language. */
export type LanguageMap = Record<string, string[]>;

type ManifestInput = {
  /** The public address of the service, without a slash at its end. */
  baseUrl: string;
  id: string;
  idno: string;
  /** The persistent address of the object, if it has one. */
  ark: string | null;
  /** Titles in every language; if empty, the number is used. */
  titles: readonly Entry[];
  /** Public fields without the title. */
  fields: readonly ShownField[];
  /** In their order, only what this reader may see. */
  media: readonly Medium[];
  /** The museum, when it has a name (`provider.ts`). */
  provider: readonly unknown[];
};

export function manifestAddress(baseUrl: string, objectId: string): string {
  return `${baseUrl}/iiif/presentation/3/objects/${objectId}/manifest`;
}

/** Null if there is no medium that a viewer could show. */
export function manifestOf(input: ManifestInput): Record<string, unknown> | null {
  const { baseUrl, id, fields } = input;
  const media = input.media.filter(isShown);
  const canvases = media.flatMap((medium, index) => canvasOf(input, medium, index) ?? []);
  if (canvases.length === 0) return null;
  const label = languageMap(input.titles, input.idno);
  const page = `${baseUrl}/objects/${id}`;
  const shown = media.filter(isPicture);
  const thumbnail = shown.find(({ is_primary }) => is_primary) ?? shown[0];
  const credit = fields.find(({ field }) => field.mapping.pattern === "credit");
  const summary = fields.find(({ field }) => field.mapping.pattern === "description");
  const rights = rightsIn(fields);
  const files = media.filter((medium) => !isPicture(medium));
  return {
    "@context": PRESENTATION_CONTEXT,
    id: manifestAddress(baseUrl, id),
    type: "Manifest",
    label,
    ...(summary ? { summary: languageMap(summary.entries) } : {}),
    metadata: [
      { label: messageMap("manifest.number"), value: { none: [input.idno] } },
      ...(input.ark === null ? [] : [{ label: { none: ["ARK"] }, value: { none: [input.ark] } }]),
      ...fields.map(({ field, entries }) => ({
        label: fromLabels(field.label, field.name),
        value: valuesOf(field.field_type, entries),
      })),
    ],
    ...(rights === null ? {} : { rights }),
    ...(credit
      ? {
          requiredStatement: {
            label: fromLabels(credit.field.label, "Credit"),
            value: languageMap(credit.entries),
          },
        }
      : {}),
    ...(input.provider.length > 0 ? { provider: input.provider } : {}),
    ...(thumbnail ? { thumbnail: [thumbnailOf(baseUrl, thumbnail)] } : {}),
    homepage: [{ id: page, type: "Text", label, format: "text/html", language: [...languages()] }],
    seeAlso: [
      dataset(`${baseUrl}/v1/objects/${id}/export?format=jsonld`, "application/ld+json"),
      dataset(`${baseUrl}/v1/objects/${id}/export?format=turtle`, "text/turtle"),
    ],
    ...(files.length > 0 ? { rendering: files.map((medium) => fileOf(baseUrl, medium)) } : {}),
    items: canvases,
  };
}

/** Types of content (§5.7) by kind of medium, with the canvas size for those without their own. */
const SHOWN_AS = {
  image: { type: "Image", width: 1000, height: 1000 },
  pdf: { type: "Text", width: 1000, height: 1414 },
  audio: { type: "Sound" },
  video: { type: "Video", width: 1280, height: 720 },
  "3d": { type: "Model", width: 1000, height: 1000 },
  captions: { type: "Text" },
} as const;

/** Pictures with their image service; PDFs and models as files; film and sound if the duration is known (§3.2). */
function canvasOf(
  { baseUrl, id: objectId, media }: ManifestInput,
  medium: Medium,
  index: number,
): Record<string, unknown> | null {
  const { category, caption, alt_text, license_uri, rights_holder, duration } = medium;
  const isTimed = category === "audio" || category === "video";
  if (isTimed && duration === null) return null;
  const id = `${baseUrl}/iiif/presentation/3/objects/${objectId}/canvas/${medium.id}`;
  const rights = license_uri === null ? null : rightsUri(license_uri);
  const { type, ...unsized } = SHOWN_AS[category];
  const size = isPicture(medium) ? { width: medium.width, height: medium.height } : unsized;
  const time = isTimed ? { duration } : {};
  const body = isPicture(medium) ? imageOf(baseUrl, medium) : fileOf(baseUrl, medium);
  return {
    id,
    type: "Canvas",
    label: languageMap(caption, String(index + 1)),
    ...(alt_text.length > 0 ? { summary: languageMap(alt_text) } : {}),
    ...size,
    ...time,
    ...(rights === null ? {} : { rights }),
    ...(rights_holder === null
      ? {}
      : {
          requiredStatement: {
            label: messageMap("manifest.rightsHolder"),
            value: { none: [asText(rights_holder)] },
          },
        }),
    ...(isPicture(medium) ? { thumbnail: [thumbnailOf(baseUrl, medium)] } : {}),
    items: [
      {
        id: `${id}/page`,
        type: "AnnotationPage",
        items: [
          {
            id: `${id}/annotation`,
            type: "Annotation",
            motivation: "painting",
            body: { ...body, type, ...time },
            target: id,
          },
        ],
      },
    ],
    ...(isTimed ? captionsOf(baseUrl, id, tracksOf(medium, media)) : {}),
  };
}

function captionsOf(baseUrl: string, canvas: string, tracks: ReturnType<typeof tracksOf>) {
  if (tracks.length === 0) return {};
  const items = tracks.map(({ medium, lang }) => ({
    id: `${canvas}/captions/${medium.id}`,
    type: "Annotation",
    motivation: "supplementing",
    body: { ...fileOf(baseUrl, medium), ...(lang === null ? {} : { language: lang }) },
    target: canvas,
  }));
  return { annotations: [{ id: `${canvas}/captions`, type: "AnnotationPage", items }] };
}

const serviceOf = (baseUrl: string, { id }: Medium) => [
  { id: imageService(baseUrl, id), type: "ImageService3", profile: "level2" },
];

function imageOf(baseUrl: string, medium: Picture): Record<string, unknown> {
  const { width, height } = plan(ALL, medium);
  const id = `${imageService(baseUrl, medium.id)}/full/max/0/default.jpg`;
  const service = serviceOf(baseUrl, medium);
  return { id, type: "Image", format: "image/jpeg", width, height, service };
}

const ALL: ImageRequest = readRequest({ region: "full", size: "max", rotation: "0", quality: "default.jpg" });

const THUMBNAIL = 400;

function thumbnailOf(baseUrl: string, medium: Picture): Record<string, unknown> {
  const { address, ...size } = sizedImage(baseUrl, medium, THUMBNAIL);
  return { id: address, type: "Image", format: "image/jpeg", ...size, service: serviceOf(baseUrl, medium) };
}

function fileOf(baseUrl: string, medium: Medium): Record<string, unknown> {
  return {
    id: `${baseUrl}/objects/${medium.object_id}/media/${medium.id}/file`,
    type: SHOWN_AS[medium.category].type,
    label: languageMap(medium.caption, medium.filename),
    format: medium.mime_type,
  };
}

const dataset = (id: string, format: string) => ({ id, type: "Dataset", format });

/** A message in all languages that have a catalogue. */
export const messageMap = (key: MessageKey): LanguageMap =>
  Object.fromEntries(languages().map((language) => [language, [translator(language)(key)]]));

function rightsIn(fields: readonly ShownField[]): string | null {
  const values = fields
    .filter(({ field }) => field.mapping.pattern === "right")
    .flatMap(({ entries }) => entries.map(({ value }) => rightsUri(value)));
  return values.find((rights) => rights !== null) ?? null;
}

export function languageMap(entries: readonly Entry[], otherwise?: string): LanguageMap {
  const map: LanguageMap = {};
  for (const { lang, value } of entries) put(map, lang, value);
  if (entries.length === 0 && otherwise !== undefined) put(map, undefined, otherwise);
  return map;
}

function put(map: LanguageMap, lang: string | undefined, value: string): void {
  const key = lang !== undefined && isLanguageTag(lang) ? lang : "none";
  map[key] = [...(map[key] ?? []), asText(value)];
}

export function fromLabels(labels: Labels, name: string): LanguageMap {
  return languageMap(entriesOf(labels), name);
}

/** Dates and terms in the languages we have words for; all else as written. */
function valuesOf(type: string, entries: readonly ShownEntry[]): LanguageMap {
  const isDate = type === "date";
  // each language lists every value, so that a reader of one language misses none
  const inWords = isDate || entries.some(({ labels }) => labels);
  if (!inWords) return languageMap(entries);
  const map: LanguageMap = {};
  for (const { value, labels } of entries) {
    for (const language of languages()) {
      put(map, language, isDate ? dateInWords(value, language) : (labels?.[language] ?? value));
    }
  }
  return map;
}

/** Viewers treat text from `<` to `>` as HTML (§4.2), so such text is escaped. */
function asText(value: string): string {
  const trimmed = value.trim();
  if (!trimmed.startsWith("<") || !trimmed.endsWith(">")) return value;
  const escaped = trimmed.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<span>${escaped}</span>`;
}
