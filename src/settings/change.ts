/** Changes of the settings, and their rules. */
import { recordEventBy } from "../accounts/security-events.ts";
import { demandUnchanged, type Expected } from "../http/answer/resource-answers.ts";
import type { Requester } from "../http/endpoint.ts";
import { readAs } from "../http/faults.ts";
import { said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { mergePatch } from "../records/shape.ts";
import type { Services, Tx } from "../services.ts";
import { lockConfiguration } from "../vocabularies/configuration-store.ts";
import { type Logo, readSettings, type Settings, writeSettings } from "./settings.ts";
import { SettingsContentShape } from "./shape.ts";

/** @param shown the settings as callers read them; `expected` has their ETag */
export async function changeSettings(
  { sql }: Pick<Services, "sql">,
  by: Requester,
  expected: Expected,
  patch: Record<string, unknown>,
  shown: (settings: Settings) => unknown,
): Promise<Settings> {
  return change(sql, by, async (tx, before) => {
    await demandUnchanged(expected, shown(before));
    const { logo, version, ...content } = before;
    const read = readAs(SettingsContentShape, mergePatch(content, patch));
    if ("faults" in read) throw invalid(read.faults);
    await demandRecords(tx, read.data.highlights, before.highlights);
    return { ...read.data, logo, version };
  });
}

/** Returns the settings and the previous logo. */
export async function changeLogo(
  { sql }: Pick<Services, "sql">,
  by: Requester,
  logo: Logo | null,
): Promise<{ settings: Settings; before: Logo | null }> {
  let was: Logo | null = null;
  const settings = await change(sql, by, async (_tx, before) => {
    was = before.logo;
    return { ...before, logo };
  });
  return { settings, before: was };
}

async function change(
  sql: Services["sql"],
  by: Requester,
  edit: (tx: Tx, before: Settings) => Promise<Settings>,
): Promise<Settings> {
  const changed = await sql.begin(async (tx) => {
    await lockConfiguration(tx);
    const before = await readSettings(tx);
    const after = await edit(tx, before);
    await writeSettings(tx, after);
    const keys = (Object.keys(after) as (keyof Settings)[]).filter(
      (key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]),
    );
    await recordEventBy(tx, by, "settings_changed", null, { changed: keys });
    return after;
  });
  return changed as Settings;
}

/** A new highlight must be an existing record. One that was deleted since may stay, but is not shown. */
async function demandRecords(tx: Tx, ids: readonly string[], before: readonly string[]): Promise<void> {
  const added = ids.filter((id) => !before.includes(id));
  if (added.length === 0) return;
  const rows = await tx<{ id: string }[]>`
    select id from records where id = any(${added}) and deleted_at is null and record_type <> 'storage_location'`;
  const known = new Set(rows.map(({ id }) => id));
  const faults = ids.flatMap((id, index) =>
    added.includes(id) && !known.has(id)
      ? [{ pointer: `/highlights/${index}`, detail: said("fault.record.never_public") }]
      : [],
  );
  if (faults.length > 0) throw invalid(faults);
}
