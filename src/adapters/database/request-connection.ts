/** A database connection for one request on an edge runtime (per-request.ts). */
import postgres, { type Sql } from "postgres";
import { DRIVER_SETTINGS } from "./driver-settings.ts";

/** Connects with the first query. The caller closes it. */
export function requestConnection(url: string): Sql {
  return postgres(url, { ...DRIVER_SETTINGS, max: 1 });
}
