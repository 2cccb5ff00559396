/** Static files for pages: a fixed list from installed packages, and the project's own files. Each is read once. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";
import type { Assets } from "../../services.ts";

type PackageFile = {
  /** The file is beside this one instead of in the package; compressed if its name ends in `.br`. */
  beside?: string;
  /** Of the published file, which is shipped compressed. */
  sha256?: string;
  /** Changes its text. */
  mend?(text: string): string;
};

/**
 * The allowed names. Redoc (2.5.4), model-viewer (4.4.0) and the Draco decoder in three (0.183.2, examples/jsm/libs/draco/gltf) are
 * shipped as the files published on npm: their packages would install 115 others, and 81 MB.
 */
const FILES: Record<string, PackageFile> = {
  "swagger-ui-dist/swagger-ui.css": {},
  "swagger-ui-dist/swagger-ui-bundle.js": {},
  "swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt": {},
  "swagger-ui-dist/favicon-32x32.png": {},
  "redoc/redoc.standalone.js": {
    beside: "redoc/redoc.standalone.js.br",
    sha256: "dcaf76612bc4a3fbcc923a8966dee2f6146a5f32e5ce1b6f02dd60cbbf89500b",
    mend: withoutForeignLogo,
  },
  "redoc/redoc.standalone.js.LICENSE.txt": { beside: "redoc/redoc.standalone.js.LICENSE.txt" },
  "openseadragon/build/openseadragon/openseadragon.min.js": { mend: withoutOwnStyle },
  "model-viewer/model-viewer.min.js": {
    beside: "model-viewer/model-viewer.min.js.br",
    sha256: "18b2e711035aa4705ee281530a55dc2338ff05eed3d70ae16d54105282a75ed5",
    mend: withinOurPolicy,
  },
  "model-viewer/draco_wasm_wrapper.js": {
    beside: "model-viewer/draco_wasm_wrapper.js.br",
    sha256: "8bb2952d2ba7d67e1414f8df819410cb0434a666be53f671fff75f68843d76f6",
  },
  "model-viewer/draco_decoder.wasm": {
    beside: "model-viewer/draco_decoder.wasm.br",
    sha256: "a680d927bed9cb864ddbd63521868891af2bfbe755092761b4837487618df8ac",
  },
};

function unpacked(name: string, packed: Buffer, sha256: string): Buffer {
  const file = brotliDecompressSync(packed);
  if (createHash("sha256").update(file).digest("hex") !== sha256)
    throw new Error(`${name} is not the file that was published`);
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

/**
 * Its style gets the nonce of the page. It uses the decoder that it contains without loading a script, and fetches none from
 * elsewhere. Several models in a page have no landmarks of the same name.
 */
function withinOurPolicy(text: string): string {
  return text
    .replace("\n<style>\n:host", `\n<style nonce=\${self.litNonce}>\n:host`)
    .replace(
      /new Promise\(\(t,i\)=>\{const n=document\.createElement\("script"\);[^}]+\}\)/,
      "Promise.resolve()",
    )
    .replace(' role="region" aria-label="Live announcements"', "")
    .replace(/"https:\/\/(www\.gstatic\.com|cdn\.jsdelivr\.net)\/[^"]*"/g, '""');
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
          const file = known?.sha256 ? unpacked(name, read, known.sha256) : read;
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
