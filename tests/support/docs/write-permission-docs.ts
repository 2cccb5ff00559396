/** Writes the tables of docs/permissions.md: `node --import tsx tests/support/docs/write-permission-docs.ts`. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../../src/adapters/database/migrate/migrate.ts";
import { createApp } from "../../../src/app.ts";
import { compose } from "../../../src/compose.ts";
import { readConfig } from "../../../src/config/read.ts";
import { createLog } from "../../../src/log.ts";
import { PAGE, roleTable, routeTable, walk } from "./permission-table.ts";

const directory = await mkdtemp(join(tmpdir(), "svc-permissions-"));
const read = readConfig({ SVC_DATA_DIR: directory, TRIPLESTORE_ENABLED: "true" });
if (!read.ok) throw new Error(JSON.stringify(read.faults));
const silent = createLog({ level: "error", format: "json", write: () => undefined });
const { services, close } = await compose(read.config, "owner", silent);
try {
  await migrate(services.sql);
  const api = createApp(services);
  let page = await readFile(PAGE, "utf8");
  for (const [name, table] of [
    ["roles", await roleTable(api)],
    ["routes", routeTable(await walk(api))],
  ] as const) {
    const place = new RegExp(`(<!-- ${name}: begin[^>]*-->\\n)[\\s\\S]*?(<!-- ${name}: end -->)`);
    if (!place.test(page)) throw new Error(`docs/permissions.md has no place for the ${name}`);
    page = page.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
  }
  await writeFile(PAGE, page);
} finally {
  await close();
  await rm(directory, { recursive: true, force: true });
}
