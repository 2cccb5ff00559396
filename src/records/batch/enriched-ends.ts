/** Data about existing people, places and events: it fills empty fields and replaces nothing. */
import { type Account, mayDo } from "../../caller.ts";
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { hiddenParents, lockByIds } from "../read/store.ts";
import { type Metadata, stateOf } from "../record.ts";
import type { Schema } from "../schema.ts";
import { maySee, unseenOf } from "../visibility.ts";
import { mergedState, stateFaults, unseenFaults } from "../write/rules.ts";
import { type Change, updateRecords, type Writer } from "../write/store.ts";

/** Coordinates in degrees, WGS 84. */
export type NewFacts = { metadata: Metadata; lat?: number; lon?: number };
type Position = { lat: number | null; lon: number | null };

/** The new data for a record; null if there is none. */
export function newFacts(
  record: { metadata: Metadata } & Position,
  { metadata, lat, lon }: NewFacts,
): NewFacts | null {
  const fresh = Object.entries(metadata).filter(([name]) => !record.metadata[name]?.length);
  const isPlaced = record.lat === null && record.lon === null && lat !== undefined && lon !== undefined;
  if (fresh.length === 0 && !isPlaced) return null;
  return { metadata: Object.fromEntries(fresh), ...(isPlaced ? { lat, lon } : {}) };
}

/** Writes what the caller may write and what is valid for the record; returns the ids of changed records. */
export async function enrich(
  tx: Tx,
  { schema, caller, writer }: { schema: Schema; caller: Account; writer: Writer },
  kind: Kind,
  facts: ReadonlyMap<string, NewFacts>,
): Promise<string[]> {
  if (facts.size === 0 || !mayDo(caller, "update", kind)) return [];
  const rows = await lockByIds(tx, kind, [...facts.keys()]);
  const hidden = await hiddenParents(tx, caller, rows);
  const changes = rows.flatMap((row): Change[] => {
    // the record as locked
    const draft = newFacts(row, facts.get(row.id)!);
    if (draft === null || !maySee(caller, row)) return [];
    const unseen = unseenOf(schema, caller, row, hidden);
    const state = stateOf(mergedState(schema, row, draft, unseen));
    const isFit =
      unseenFaults(schema, caller, kind, draft.metadata).length === 0 &&
      stateFaults(schema, kind, state, { unseen: unseen.metadata, before: row.metadata }).length === 0;
    return isFit ? [{ before: row, after: state, action: "updated" }] : [];
  });
  await updateRecords(tx, kind, writer, changes);
  return changes.map(({ before }) => before.id);
}
