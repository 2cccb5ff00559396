/** A connection for one request, where a program has no connections of its own: see per-request.ts. */
import postgres, { type Sql } from "postgres";
import { DRIVER_SETTINGS } from "./driver-settings.ts";

/** Connects with the first question. Whoever has it ends it. */
export function requestConnection(url: string): Sql {
  return postgres(url, { ...DRIVER_SETTINGS, max: 1 });
}
