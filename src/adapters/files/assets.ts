/** The files behind pages: a fixed list out of installed packages, and the project's own page files; each is read once. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import type { Assets } from "../../services.ts";

/** Name → the file where it stands beside this one, else of that package, and what must be mended in it. Nothing else is given. */
const FILES: Record<string, { beside?: string; mend?(text: string): string }> = {
  "swagger-ui-dist/swagger-ui.css": {},
  "swagger-ui-dist/swagger-ui-bundle.js": {},
  "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt": {},
  "swagger-ui-dist/favicon-32x32.png": {},
  "redoc/redoc.standalone.js": { beside: "redoc/redoc.standalone.js.br", mend: withoutForeignLogo },
  "openseadragon/build/openseadragon/openseadragon.min.js": { mend: withoutOwnStyle },
  "redoc/redoc.standalone.js.LICENSE.txt": { beside: "redoc/redoc.standalone.js.LICENSE.txt" },
};

/**
 * `bundles/redoc.standalone.js` of redoc 2.5.4 as npm has it, packed: its package needs 115 others, this file none of them.
 */
const REDOC_SHA256 = "dcaf76612bc4a3fbcc923a8966dee2f6146a5f32e5ce1b6f02dd60cbbf89500b";

function unpackedRedoc(packed: Buffer): Buffer {
  const file = brotliDecompressSync(packed);
  if (createHash("sha256").update(file).digest("hex") !== REDOC_SHA256)
    throw new Error("redoc.standalone.js is not the file that was published");
  return file;
}

/** For builds that have no packages at hand when they run; with the page files (src/pages/assets.ts) that is all. */
export const PACKAGE_FILES: readonly string[] = Object.keys(FILES);

/** The viewer adds a style that hides where the focus is; our pages allow no styles but those of their own files. */
function withoutOwnStyle(text: string): string {
  return text.replace('document.querySelector("style[data-openseadragon-mobile-css]")', "true");
}

const FOREIGN_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const NO_LOGO = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** Redoc's footer fetches an image from its maker: every reader of the page would be told to them. The link stays. */
function withoutForeignLogo(text: string): string {
  return text.replaceAll(FOREIGN_LOGO, NO_LOGO);
}

/** Ours: `pages/style.css` stands in src/pages/assets/. */
const OWN = /^pages\/([a-z0-9-]+\.(?:css|js|svg))$/;
/** Fonts go by the names that their package gives them. */
const FONT = /^@fontsource-variable\/[a-z0-9-]+\/files\/[a-z0-9-]+\.woff2$/;

export function packageAssets(): Assets {
  // not import.meta.resolve: test runners and bundlers lack it
  const { resolve } = createRequire(import.meta.url);
  const read = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    async read(name) {
      const known = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
      const own = OWN.exec(name)?.[1];
      if (!known && !own && !FONT.test(name)) return null;
      let bytes = read.get(name);
      if (!bytes) {
        const here = own ? `../../pages/assets/${own}` : known?.beside;
        const place = here ? new URL(here, import.meta.url) : resolve(name);
        bytes = readFile(place).then((read) => {
          const file = known?.beside?.endsWith(".br") ? unpackedRedoc(read) : read;
          return known?.mend
            ? new TextEncoder().encode(known.mend(file.toString("utf8")))
            : new Uint8Array(file);
        });
        // what failed once may be there the next time
        bytes.catch(() => read.delete(name));
        read.set(name, bytes);
      }
      return bytes;
    },
  };
}
