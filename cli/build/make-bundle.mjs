/** `npm ci` and `npm pack` run this: the program as one bundle in dist/node (`bundle.mjs`). */
import { installBundle } from "./bundle.mjs";

await installBundle();
