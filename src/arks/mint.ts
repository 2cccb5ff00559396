/** Names are given: in the transaction in which a record becomes public, or later. */
import type { Config } from "../config/read.ts";
import { Problem } from "../problem.ts";
import type { Arks, Tx } from "../services.ts";
import { arkText, newName } from "./names.ts";
import { currentArks, insertArks, withoutArk } from "./store.ts";

/** Random names of which so many in a row are taken are nearly used up. */
const MOST_TRIES = 20;

/** What the other rooms ask of this one (`services.arks`). */
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
 * A name for each of these records that has none of this number. Nobody else gets the same one, however many do this at
 * once: the database takes each name once, and who comes second tries another.
 */
async function mintArks(tx: Tx, naan: string, length: number, ids: readonly string[]): Promise<void> {
  let rest = ids;
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt === MOST_TRIES) {
      throw new Problem(
        "unavailable",
        `Nearly all ARKs of ${length} characters are taken: set ARK_SUFFIX_LENGTH to a higher number and start the service again`,
      );
    }
    const names = rest.map(() => newName(naan, length));
    if ((await insertArks(tx, naan, rest, names)) === rest.length) return;
    rest = await withoutArk(tx, naan, rest);
  }
}
