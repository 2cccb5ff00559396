/**
 * Styles, fonts and scripts of the pages. Each has an address that changes with its content (`/assets/style.3f2a91c0d4e5.css`),
 * so that browsers and caches may keep it for ever (RFC 8246). The list is fixed, because a single-file program or a Worker has
 * no directory to list.
 */
import { hex, sha256 } from "../bytes.ts";
import type { Assets } from "../services.ts";
import { PROPORTIONS } from "./proportions.ts";

const FONTS = "@fontsource-variable/source-serif-4/files/source-serif-4";

/** Name on the pages → name in the `Assets` port. */
const FILES = {
  "style.css": "pages/style.css",
  "admin.css": "pages/admin.css",
  "admin.js": "pages/admin.js",
  "captions.js": "pages/captions.js",
  "chooser.js": "pages/chooser.js",
  "combobox.js": "pages/combobox.js",
  "editor.js": "pages/editor.js",
  "editor-check.js": "pages/editor-check.js",
  "editor-drafts.js": "pages/editor-drafts.js",
  "colours.js": "pages/colours.js",
  "editor-look-up.js": "pages/editor-look-up.js",
  "editor-place.js": "pages/editor-place.js",
  "editor-rows.js": "pages/editor-rows.js",
  "editor-subtype.js": "pages/editor-subtype.js",
  "import-file.js": "pages/import-file.js",
  "mapping.js": "pages/mapping.js",
  "media.css": "pages/media.css",
  "model.js": "pages/model.js",
  "palette.js": "pages/palette.js",
  "photos.js": "pages/photos.js",
  "photos-service.js": "pages/photos-service.js",
  "photos-words.js": "pages/photos-words.js",
  "print.css": "pages/print.css",
  "print.js": "pages/print.js",
  "icon.svg": "pages/icon.svg",
  "home.css": "pages/home.css",
  "record.css": "pages/record.css",
  "record.js": "pages/record.js",
  "secret-link.js": "pages/secret-link.js",
  "search.css": "pages/search.css",
  "service.js": "pages/service.js",
  "suggest.js": "pages/suggest.js",
  "histogram.js": "pages/histogram.js",
  "sparql.css": "pages/sparql.css",
  "sparql.js": "pages/sparql.js",
  "zoom.js": "pages/zoom.js",
  "openseadragon.js": "openseadragon/build/openseadragon/openseadragon.min.js",
  "model-viewer.js": "model-viewer/model-viewer.min.js",
  "draco.js": "model-viewer/draco_wasm_wrapper.js",
  "draco.wasm": "model-viewer/draco_decoder.wasm",
  "serif-latin.woff2": `${FONTS}-latin-wght-normal.woff2`,
  "serif-latin-ext.woff2": `${FONTS}-latin-ext-wght-normal.woff2`,
  "serif-cyrillic.woff2": `${FONTS}-cyrillic-wght-normal.woff2`,
  "serif-greek.woff2": `${FONTS}-greek-wght-normal.woff2`,
  "serif-italic-latin.woff2": `${FONTS}-latin-wght-italic.woff2`,
} as const;

export type AssetName = keyof typeof FILES;
/** What the `Assets` port must have. */
export const PAGE_FILES: readonly string[] = Object.values(FILES);

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  woff2: "font/woff2",
};

type Bytes = Uint8Array<ArrayBuffer>;
/** `gzip`: the compressed bytes; null if the file is in a compressed format. */
type PageAsset = { type: string; bytes: Bytes; gzip: Bytes | null };

export type PageAssets = {
  /** Path of an asset, from the base of the service: `/assets/style.3f2a91c0d4e5.css`. */
  path(name: AssetName): string;
  /** The asset with this last part of its path. */
  find(file: string): PageAsset | undefined;
};

export async function loadPageAssets(assets: Assets): Promise<PageAssets> {
  const paths = new Map<AssetName, string>();
  const files = new Map<string, PageAsset>();
  async function load(name: AssetName): Promise<string> {
    const known = paths.get(name);
    if (known) return known;
    const read = await assets.read(FILES[name]);
    if (read === null) throw new Error(`The page file ${FILES[name]} is missing`);
    const bytes = FILES[name].startsWith("pages/") ? await withHashedNames(name, read, load) : read;
    const extension = name.slice(name.lastIndexOf(".") + 1);
    const file = name.replace(/\.(\w+)$/, `.${await hashOf(bytes)}.$1`);
    paths.set(name, file);
    const gzip = extension === "woff2" ? null : await compressed(bytes);
    files.set(file, { type: TYPES[extension]!, bytes, gzip });
    return file;
  }
  for (const name of Object.keys(FILES) as AssetName[]) await load(name);
  return { path: (name) => `/assets/${paths.get(name)}`, find: (file) => files.get(file) };
}

/** `url("serif-latin.woff2")` in a style sheet and `"./service.js"` in a module. */
const NAMED = /(url\("|"\.\/)([\w-]+\.[\w.-]+)"/;

/** Replaces the names of other files by the names under which they are served. */
async function withHashedNames(
  of: AssetName,
  bytes: Bytes,
  load: (name: AssetName) => Promise<string>,
): Promise<Bytes> {
  const text = new TextDecoder().decode(bytes) + (of === "style.css" ? PROPORTIONS : "");
  const parts = text.split(NAMED);
  // every third part is a name: text, the characters before a name, the name
  for (let at = 2; at < parts.length; at += 3) {
    const name = parts[at]!;
    if (!(name in FILES)) throw new Error(`A page file names ${name}, which is not a page file`);
    parts[at] = `${await load(name as AssetName)}"`;
  }
  return new TextEncoder().encode(parts.join(""));
}

async function hashOf(bytes: Bytes): Promise<string> {
  return hex((await sha256(bytes)).subarray(0, 6));
}

async function compressed(bytes: Bytes): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
