/** What the demo museum says of itself (cli/demo/museum/settings.json). */
import { readFile } from "node:fs/promises";
import type { Services } from "../../src/services.ts";
import { DEFAULTS, writeSettings } from "../../src/settings/settings.ts";
import { SettingsContentShape } from "../../src/settings/shape.ts";

/** `ids`: of the records by their keys, which stand for the highlights. */
export async function loadDemoSettings({ sql }: Services, ids: ReadonlyMap<string, string>): Promise<void> {
  const text = await readFile(new URL("museum/settings.json", import.meta.url), "utf8");
  const { highlights, ...said } = JSON.parse(text) as { highlights: string[] };
  const content = SettingsContentShape.parse({ ...said, highlights: highlights.map((key) => ids.get(key)) });
  await sql.begin((tx) => writeSettings(tx, { ...DEFAULTS, ...content }));
  // nobody sets a museum up that is thrown away
  await sql`update configuration set fields_chosen = true, guide_closed = true`;
}
