/** Lists the records that rows change, or would change. */
import type { RowOutcome } from "../options.ts";

export type ChangedRecord = { id: string; idno: string };

/** How many of them the report names. */
const MOST = 500;

export function createChangedRecords() {
  const changed: ChangedRecord[] = [];
  return {
    take({ result }: RowOutcome): void {
      if (result.outcome === "updated" && changed.length < MOST)
        changed.push({ id: result.id, idno: result.idno });
    },

    json: (): readonly ChangedRecord[] => changed,
  };
}
