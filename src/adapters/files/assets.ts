/** Static files for pages: a fixed list from installed packages, and the project's own files. Each is read once. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import type { Assets } from "../../services.ts";

/** The allowed names. `beside`: the file is beside this one instead of in the package. `mend`: changes its text. */
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
 * SHA-256 of `bundles/redoc.standalone.js` in redoc 2.5.4 on npm. It is shipped compressed, because the package would install
 * 115 others that this file does not need.
 */
const REDOC_SHA256 = "dcaf76612bc4a3fbcc923a8966dee2f6146a5f32e5ce1b6f02dd60cbbf89500b";

function unpackedRedoc(packed: Buffer): Buffer {
  const file = brotliDecompressSync(packed);
  if (createHash("sha256").update(file).digest("hex") !== REDOC_SHA256)
    throw new Error("redoc.standalone.js is not the file that was published");
  return file;
}

/** For builds without packages at run time. Together with the page files (src/pages/assets.ts) these are all assets. */
export const PACKAGE_FILES: readonly string[] = Object.keys(FILES);

/** Removes a style that the viewer adds. It hides the focus, and our pages allow only styles from their own files. */
function withoutOwnStyle(text: string): string {
  return text.replace('document.querySelector("style[data-openseadragon-mobile-css]")', "true");
}

const FOREIGN_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const NO_LOGO = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E";

/** Removes the image in Redoc's footer, whose server would see every reader of the page. The link stays. */
function withoutForeignLogo(text: string): string {
  return text.replaceAll(FOREIGN_LOGO, NO_LOGO);
}

/** Our own files: `pages/style.css` is in src/pages/assets/. */
const OWN = /^pages\/([a-z0-9-]+\.(?:css|js|svg))$/;
/** Fonts have the names of their package. */
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
        // after a failure, the next call tries again
        bytes.catch(() => read.delete(name));
        read.set(name, bytes);
      }
      return bytes;
    },
  };
}
