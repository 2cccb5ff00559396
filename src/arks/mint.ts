/** Mints ARKs: in the transaction that publishes a record, or later. */
import type { Config } from "../config/read.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Arks, Tx } from "../services.ts";
import { arkText, newName } from "./names.ts";
import { currentArks, insertArks, withoutArk } from "./store.ts";

/** If so many random names in a row are taken, the names are nearly used up. */
const MOST_TRIES = 20;

/** The functions that other rooms use (`services.arks`). */
export function arksBy({ ark }: Pick<Config, "ark">): Arks {
  const { naan, resolverUrl } = ark;
  return {
    async mint(tx, ids) {
      if (ark.enabled && naan !== null) await mintArks(tx, naan, ark.suffixLength, ids);
    },
    async of(sql, ids) {
      const rows = ids.length === 0 ? [] : await currentArks(sql, naan, ids);
      return new Map(
        rows.map((row) => [row.record_id, { ark: arkText(row), url: `${resolverUrl}/${arkText(row)}` }]),
      );
    },
  };
}

/**
 * Gives a name to each of these records that has none under this NAAN. Names stay unique even with simultaneous
 * calls: the database accepts each name once, and the second caller tries another.
 */
async function mintArks(tx: Tx, naan: string, length: number, ids: readonly string[]): Promise<void> {
  let rest = ids;
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt === MOST_TRIES) {
      throw new Problem("unavailable", said("problem.ark.exhausted", { length }));
    }
    const names = rest.map(() => newName(naan, length));
    if ((await insertArks(tx, naan, rest, names)) === rest.length) return;
    rest = await withoutArk(tx, naan, rest);
  }
}
