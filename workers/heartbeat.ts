/** One row that says: the worker is alive. /health reads it. */
import type { Services } from "../src/services.ts";

export async function beat({ sql }: Services): Promise<void> {
  await sql`
    insert into heartbeats (name, at) values ('worker', clock_timestamp())
    on conflict (name) do update set at = excluded.at`;
}
