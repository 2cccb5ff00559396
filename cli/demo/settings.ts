/** Saves the settings of the demo museum, and its terms in six languages. */
import { newId } from "../../src/ids.ts";
import type { Services } from "../../src/services.ts";
import { DEFAULTS, writeSettings } from "../../src/settings/settings.ts";
import { SettingsContentShape } from "../../src/settings/shape.ts";
import { insertTerms } from "../../src/vocabularies/terms/store.ts";
import { TermDraftShape } from "../../src/vocabularies/terms/vocabulary-shape.ts";
import { readDemo } from "./read.ts";

/** `ids`: record ids by key, because the highlights name records by key. */
export async function loadDemoSettings({ sql }: Services, ids: ReadonlyMap<string, string>): Promise<void> {
  const { highlights, ...said } = (await readDemo("settings")) as { highlights: string[] };
  const vocabularies = (await readDemo("terms")) as Record<string, { en: string }[]>;
  const content = SettingsContentShape.parse({ ...said, highlights: highlights.map((key) => ids.get(key)) });
  const terms = Object.entries(vocabularies).flatMap(([vocabulary, labels]) =>
    labels.map((label, index) => ({
      ...TermDraftShape.parse({ value: label.en, label }),
      ...{ id: newId(), vocabulary, sort_order: 1_000 + index },
    })),
  );
  await sql.begin(async (tx) => {
    await writeSettings(tx, { ...DEFAULTS, ...content });
    await insertTerms(tx, terms);
  });
  // a temporary museum needs no setup guide
  await sql`update configuration set guide_closed = true`;
}
