/**
 * One row shows that the worker is alive; /health reads it. It is written after rounds of work, not by a timer, so it proves
 * that work is done.
 */
import type { Services } from "../src/services.ts";

export async function beat({ sql }: Services): Promise<void> {
  await sql`
    insert into heartbeats (name, at) values ('worker', clock_timestamp())
    on conflict (name) do update set at = excluded.at`;
}

/** A worker writes a heartbeat every ten seconds. One that has written none for this long has stopped. */
const ALIVE_SECONDS = 25;

export async function isAlive({ sql }: Services): Promise<boolean> {
  const [row] = await sql<{ alive: boolean }[]>`
    select exists (select 1 from heartbeats
      where name = 'worker' and at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS})) as alive`;
  return row!.alive;
}
