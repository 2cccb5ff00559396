/** Makes the bundle in dist/node (`bundle.mjs`). `npm ci` and `npm pack` run this. */
import { installBundle } from "./bundle.mjs";

await installBundle();
