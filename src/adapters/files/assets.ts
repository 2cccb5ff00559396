/** The files behind pages: a fixed list out of installed packages, and the project's own page files; each is read once. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Assets } from "../../services.ts";

/** Name → file of a package, where it is not called the same, and what must be mended in it. Nothing else is given. */
const FILES: Record<string, { path?: string; mend?(text: string): string }> = {
  "swagger-ui-dist/swagger-ui.css": {},
  "swagger-ui-dist/swagger-ui-bundle.js": {},
  "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt": {},
  "swagger-ui-dist/favicon-32x32.png": {},
  "redoc/redoc.standalone.js": { path: "redoc/bundles/redoc.standalone.js", mend: withoutForeignLogo },
  "openseadragon/build/openseadragon/openseadragon.min.js": { mend: withoutOwnStyle },
  "redoc/redoc.standalone.js.LICENSE.txt": { path: "redoc/bundles/redoc.standalone.js.LICENSE.txt" },
};

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
        const place = own
          ? new URL(`../../pages/assets/${own}`, import.meta.url)
          : resolve(known?.path ?? name);
        bytes = readFile(place).then((file) =>
          known?.mend ? new TextEncoder().encode(known.mend(file.toString("utf8"))) : new Uint8Array(file),
        );
        // what failed once may be there the next time
        bytes.catch(() => read.delete(name));
        read.set(name, bytes);
      }
      return bytes;
    },
  };
}
