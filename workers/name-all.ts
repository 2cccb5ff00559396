/** The job that names what was public before there were ARKs: svc-manage ark-mint. */
import { countWithoutArk, publicWithoutArk } from "../src/arks/store.ts";
import { markChanged } from "../src/records/outbox.ts";
import { Refusal } from "../src/refusal.ts";
import type { JobInput } from "./job-kind.ts";

/** Records at once: others use the embedded database's only session in between. */
const BATCH = 500;

/** Begun again after a kill it passes over those that have a name. */
export async function nameAll({
  services: { sql, arks, config },
  report,
}: Pick<JobInput, "services" | "report">): Promise<Record<string, unknown>> {
  const { enabled, naan } = config.ark;
  if (!enabled || naan === null) throw new Refusal("ARK_ENABLED is false: no ARKs are minted here");
  const total = await countWithoutArk(sql, naan);
  let done = 0;
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    await report({ done, total });
    const named = await sql.begin(async (tx) => {
      const ids = await publicWithoutArk(tx, naan, last, BATCH);
      await arks.mint(tx, ids);
      // exports name them
      await markChanged(tx, ids, { by: "worker", hides: false });
      return ids;
    });
    if (named.length === 0) return { named: done };
    done += named.length;
    last = named.at(-1)!;
  }
}
