/** Fills an empty catalogue with the demo museum (cli/demo/museum). Tests use it as a fixture. */

import { OPERATOR } from "../../src/caller.ts";
import { newId } from "../../src/ids.ts";
import { say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { saveBatch } from "../../src/records/batch/batch.ts";
import type { Kind } from "../../src/records/kinds.ts";
import { insertRelations } from "../../src/records/links/relations.ts";
import { markChanged } from "../../src/records/outbox.ts";
import type { Metadata } from "../../src/records/record.ts";
import type { Draft } from "../../src/records/shape.ts";
import type { Services } from "../../src/services.ts";
import { readDemo } from "./read.ts";

export type DemoRecord = Omit<Draft, "id" | "metadata" | "parent_id"> & {
  key: string;
  type: string;
  parent?: string;
  metadata_: Metadata;
};
type DemoRelation = { relation_type: string; from: string; to: string; metadata_?: Metadata };

export const FILES: readonly [Kind, string][] = [
  ["storage_location", "storage_locations"],
  ["collection", "collections"],
  ["place", "places"],
  ["entity", "entities"],
  ["occurrence", "occurrences"],
  ["object", "objects"],
  ["procedure", "procedures"],
];

/** How many records are projected at a time. */
const PART = 50;

/** Returns the record ids by key. `report` gets the share done, from 0 to 1. Tests replace `read` to make records private. */
export async function loadDemoMuseum(
  services: Services,
  report: (part: number) => void = () => undefined,
  read = readDemo,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [kind, file] of FILES) {
    let waiting = (await read(file)) as DemoRecord[];
    while (waiting.length > 0) {
      // parents first
      const ready = waiting.filter((record) => record.parent === undefined || ids.has(record.parent));
      if (ready.length === 0) throw new Error(`The demo museum's ${file} have missing parents`);
      await saveRecords(services, kind, ready, ids);
      waiting = waiting.filter((record) => !ready.includes(record));
    }
  }
  await saveRelations(services, (await read("relations")) as DemoRelation[], ids);
  // each record is projected once, after its links are saved
  const saved = [...ids.values()];
  for (let at = 0; at < saved.length; at += PART) {
    report(at / saved.length);
    await services.changed(saved.slice(at, at + PART));
  }
  return ids;
}

async function saveRecords(
  services: Services,
  kind: Kind,
  records: readonly DemoRecord[],
  ids: Map<string, string>,
): Promise<void> {
  const results = await saveBatch(
    services,
    OPERATOR,
    kind,
    records.map(({ key: _key, type, parent, metadata_, ...columns }) => ({
      draft: {
        ...columns,
        subtype: type,
        metadata: metadata_,
        ...(parent ? { parent_id: ids.get(parent)! } : {}),
      },
    })),
    { upsert: "refuse", importId: null, updateProjections: async () => undefined },
  );
  results.forEach((result, index) => {
    const { key } = records[index]!;
    if (result.outcome === "rejected") {
      throw new Error(
        `The demo museum's ${key} is refused: ${result.faults.map((f) => `${f.pointer} ${say(ENGLISH, f.detail)}`).join("; ")}`,
      );
    }
    ids.set(key, result.id);
  });
}

async function saveRelations(
  services: Services,
  relations: readonly DemoRelation[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const id = (key: string) => {
    const found = ids.get(key);
    if (!found) throw new Error(`The demo museum has no ${key}`);
    return found;
  };
  const rows = relations.map((relation) => ({
    id: newId(),
    relation_type: relation.relation_type,
    from_id: id(relation.from),
    to_id: id(relation.to),
    metadata: relation.metadata_ ?? {},
  }));
  const from = [...new Set(rows.map((row) => row.from_id))];
  await services.sql.begin(async (tx) => {
    await insertRelations(tx, null, rows);
    await markChanged(tx, from, { by: "writer", hides: true });
  });
}
