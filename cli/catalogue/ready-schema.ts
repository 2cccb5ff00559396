/** Migrates the database, waits for its migration, or refuses it, until it has this program's schema. */

import { setTimeout } from "node:timers/promises";
import { migrate, schemaState } from "../../src/adapters/database/migrate/migrate.ts";
import type { Database } from "../../src/adapters/database/open.ts";
import { isUnreachable } from "../../src/http/requests.ts";
import type { Log } from "../../src/log.ts";
import { type Said, say } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Refusal } from "../../src/refusal.ts";

/** Milliseconds between two checks for a missing schema. */
const PAUSE = 1_000;

/**
 * Migrates the embedded database. The operator migrates an external one, after the first start and after each update
 * (contract §4.6). Until then this waits, and calls `lacking` with what to do.
 *
 * @throws Refusal if this program does not know the schema
 */
export async function readySchema(
  { sql, kind }: Pick<Database, "sql" | "kind">,
  log: Log,
  lacking: (told: Said) => Promise<void> = async () => undefined,
): Promise<void> {
  if (kind === "embedded") {
    let files = 0;
    await migrate(sql, {
      onStep(file) {
        if (files++ === 0) log.info("migrating the database");
        log.debug("database migrated", { file });
      },
    });
    if (files > 0) log.info("the database is migrated", { files });
    return;
  }
  let waiting = false;
  for (;;) {
    const found = await schemaState(sql).catch((error) => {
      if (waiting && isUnreachable(error)) return null;
      throw error;
    });
    if (found?.state === "current") return;
    if (found?.state === "newer" || found?.state === "altered") throw new Refusal(found.detail);
    if (found) await lacking(found.detail);
    if (found && !waiting) log.warn(`waiting for the schema: ${say(ENGLISH, found.detail)}`);
    waiting = true;
    await setTimeout(PAUSE);
  }
}
