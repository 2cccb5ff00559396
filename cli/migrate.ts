/** svc-manage migrate (and `alembic upgrade head`): updates the database to the schema of this program. */
import { defineCommand } from "citty";
import { migrate } from "../src/adapters/database/migrate/migrate.ts";
import { openDatabase } from "../src/adapters/database/open.ts";
import { logOf } from "../src/compose.ts";
import { said } from "../src/messages/said.ts";
import { runningService } from "./catalogue/door.ts";
import { openCommandConfig } from "./catalogue/open.ts";
import { meta } from "./terminal/options.ts";
import { print } from "./terminal/words.ts";

export const migrateCommand = defineCommand({
  meta: meta("migrate", "cli.help.migrate.about"),
  async run() {
    const config = openCommandConfig();
    // a running service has updated the embedded database at its start; one of another version refuses the call
    if ((await (await runningService(config))?.("database", {})) !== undefined) {
      print(said("cli.migrate.up_to_date", { count: 0 }));
      return 0;
    }
    const log = logOf(config, process.stderr.isTTY);
    const database = await openDatabase({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      role: "client",
      warn: (message) => log.warn(message),
    });
    try {
      let steps = 0;
      await migrate(database.sql, {
        onStep(step) {
          steps += 1;
          print(said("cli.migrate.applied", { file: step }));
        },
      });
      print(said("cli.migrate.up_to_date", { count: steps }));
    } finally {
      await database.close();
    }
    return 0;
  },
});
