/** The job that gives ARKs to older public records: svc-manage ark-mint. */

import { countPublic, publicBehind, withoutArk } from "../src/arks/store.ts";
import { BEFORE_ALL_IDS } from "../src/ids.ts";
import { said } from "../src/messages/said.ts";
import { markChanged } from "../src/records/outbox.ts";
import { Refusal } from "../src/refusal.ts";
import type { JobInput } from "./job-kind.ts";

/** Records per batch. Other queries use the only session of the embedded database between batches. */
const BATCH = 500;

/** After a kill, it starts again and skips records that have an ARK. */
export async function mintArks({
  services: { sql, arks, config },
  report,
}: Pick<JobInput, "services" | "report">): Promise<Record<string, unknown>> {
  const { enabled, naan } = config.ark;
  if (!enabled || naan === null) throw new Refusal(said("problem.ark.off"));
  const total = await countPublic(sql);
  const counts = { done: 0, named: 0 };
  let last = BEFORE_ALL_IDS;
  for (;;) {
    await report({ done: counts.done, total });
    const { seen, named } = await sql.begin(async (tx) => {
      const seen = await publicBehind(tx, last, BATCH);
      const named = await withoutArk(tx, naan, seen);
      await arks.mint(tx, named);
      // the projections contain ARKs
      await markChanged(tx, named, { by: "worker", hides: false });
      return { seen, named };
    });
    if (seen.length === 0) return { named: counts.named };
    counts.done += seen.length;
    counts.named += named.length;
    last = seen.at(-1)!;
  }
}
