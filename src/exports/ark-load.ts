/** Loads the ARKs of an export. A reset keeps all names, so they may already exist. */
import { said } from "../messages/said.ts";
import { Refusal } from "../refusal.ts";
import type { Tx } from "../services.ts";

export async function loadArks(tx: Tx, rows: readonly string[]): Promise<void> {
  const arks = `[${rows.join(",")}]`;
  await tx`
    insert into arks (naan, name, record_id, minted_at)
    select naan, name, record_id, minted_at from json_populate_recordset(null::arks, ${arks}::text::json)
    on conflict do nothing`;
  const [other] = await tx<{ ark: string }[]>`
    select 'ark:/' || x.naan || '/' || x.name as ark from json_populate_recordset(null::arks, ${arks}::text::json) x
    where not exists (
      select 1 from arks a where a.naan = x.naan and a.name = x.name and a.record_id = x.record_id)
    limit 1`;
  if (other) {
    throw new Refusal(said("problem.export.ark_exists", { ark: other.ark }));
  }
}
