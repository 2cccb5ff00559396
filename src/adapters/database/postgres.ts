/** An external PostgreSQL server, for installations that have outgrown the embedded database. */
import postgres, { type Sql } from "postgres";
import { types } from "./types.ts";

const OLDEST_VERSION = 15;
const CONNECTIONS = 10;
/** Seconds. */
const CONNECT_TIMEOUT = 10;

/**
 * Connects, and refuses a server that cannot be reached or is too old. `max`: connections at once; `lost` is told of
 * each that was closed.
 */
export async function openPostgres(
  url: string,
  options: { max?: number; lost?: () => void } = {},
): Promise<Sql> {
  const sql = postgres(url, {
    max: options.max ?? CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT,
    types,
    onnotice: () => {},
    onclose: options.lost,
    connection: { application_name: "svc", TimeZone: "UTC", DateStyle: "ISO, MDY" },
  });
  try {
    await refuseOldVersion(sql);
    return sql;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
}

async function refuseOldVersion(sql: Sql): Promise<void> {
  const [server] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version
  `.catch((error: unknown) => {
    // Node gives no message when it has tried several addresses of a name.
    const { message, code } = error as { message?: string; code?: string };
    const reason = message || code || String(error);
    throw new Error(`The database of DATABASE_URL at ${placeOf(sql)} cannot be used: ${reason}`, {
      cause: error,
    });
  });
  if (!server || server.number < OLDEST_VERSION * 10_000) {
    throw new Error(
      `PostgreSQL ${OLDEST_VERSION} or newer is needed; the server at ${placeOf(sql)} is version ${server?.version}`,
    );
  }
}

/** Host and port, without the password that the URL holds. */
function placeOf(sql: Sql): string {
  const { host, port, path } = sql.options;
  return path || host.map((name, index) => `${name}:${port[index]}`).join(", ");
}
