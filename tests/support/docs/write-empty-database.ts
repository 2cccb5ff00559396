/** Makes src/adapters/database/pglite/empty-database.br with the installed PGlite: `node --import tsx tests/support/docs/write-empty-database.ts`. */
import { writeFile } from "node:fs/promises";
import { brotliCompressSync, constants } from "node:zlib";
import { madeByInitdb } from "../empty-database.ts";

const { pglite, directories, files } = await madeByInitdb();
const head = { pglite, directories, files: files.map(({ path, content }) => [path, content.length]) };
const bytes = Buffer.concat([
  Buffer.from(`${JSON.stringify(head)}\n`),
  ...files.map(({ content }) => content),
]);
// three databases with the same files: the compression window must reach from one to the next
const params = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
};
const place = new URL("../../../src/adapters/database/pglite/empty-database.br", import.meta.url);
await writeFile(place, brotliCompressSync(bytes, { params }));
