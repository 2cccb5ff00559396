/** What the demo museum says of itself, and what it calls its subjects and departments in other languages. */
import { readFile } from "node:fs/promises";
import { newId } from "../../src/ids.ts";
import type { Services } from "../../src/services.ts";
import { DEFAULTS, writeSettings } from "../../src/settings/settings.ts";
import { SettingsContentShape } from "../../src/settings/shape.ts";
import { insertTerms } from "../../src/vocabularies/term-store.ts";

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`museum/${name}.json`, import.meta.url), "utf8"));

/** `ids`: of the records by their keys, which stand for the highlights. */
export async function loadDemoSettings({ sql }: Services, ids: ReadonlyMap<string, string>): Promise<void> {
  const { highlights, ...said } = (await read("settings")) as { highlights: string[] };
  const vocabularies = (await read("terms")) as Record<string, { en: string; de: string; fr: string }[]>;
  const content = SettingsContentShape.parse({ ...said, highlights: highlights.map((key) => ids.get(key)) });
  const terms = Object.entries(vocabularies).flatMap(([vocabulary, labels]) =>
    labels.map((label, index) => ({
      ...{ id: newId(), vocabulary, value: label.en, label },
      ...{ uri: null, broader_id: null, sort_order: 1_000 + index },
    })),
  );
  await sql.begin(async (tx) => {
    await writeSettings(tx, { ...DEFAULTS, ...content });
    await insertTerms(tx, terms);
  });
  // nobody sets a museum up that is thrown away
  await sql`update configuration set fields_chosen = true, guide_closed = true`;
}
