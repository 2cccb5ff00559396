/** Operations of the doctor: the state of the database and of the work that waits in it. */
import { mailBacklog, outboxBacklog } from "../health/backlog-store.ts";
import { Nothing, operation } from "./operation.ts";

/** `now`: seconds since 1970. */
export type AboutDatabase = {
  version: string;
  encoding: string;
  may_create: boolean;
  standby: boolean;
  now: number;
};

export const doctorOperations = {
  database: operation(Nothing, async ({ sql }) => {
    const [row] = await sql<AboutDatabase[]>`
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        has_schema_privilege(current_schema(), 'create') as may_create, pg_is_in_recovery() as standby,
        extract(epoch from clock_timestamp())::float8 as now`;
    return row!;
  }),
  /** Seconds since a worker was last seen; null if never. */
  heartbeat: operation(Nothing, async ({ sql }) => {
    const [row] = await sql<{ age: number }[]>`
      select extract(epoch from clock_timestamp() - at)::float8 as age from heartbeats where name = 'worker'`;
    return row?.age ?? null;
  }),
  outbox: operation(Nothing, ({ sql }) => outboxBacklog(sql)),
  mails: operation(Nothing, ({ sql }) => mailBacklog(sql)),
};
