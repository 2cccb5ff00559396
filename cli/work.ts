/** svc-manage work: runs the timetable and jobs without HTTP, beside services with SVC_WORK=outside. */

import { defineCommand } from "citty";
import { standardErrorLines } from "../src/adapters/standard-error.ts";
import { compose, logOf } from "../src/compose.ts";
import { said, say } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import { Refusal } from "../src/refusal.ts";
import { runtimeName } from "../src/runtimes/serve.ts";
import { enableProjections } from "../workers/projections.ts";
import { startWork } from "../workers/work.ts";
import { openConfig } from "./catalogue/open.ts";
import { readySchema } from "./catalogue/ready-schema.ts";
import { surviveLostConnections } from "./serve.ts";
import { meta } from "./terminal/options.ts";
import { onStopSignal } from "./terminal/stop-signals.ts";

export const workCommand = defineCommand({
  meta: meta("work", "cli.help.work.about"),
  async run() {
    const config = openConfig();
    if (config.databaseUrl === null) {
      throw new Refusal(said("cli.work.no_database"));
    }
    const log = logOf(config, process.stderr.isTTY, standardErrorLines());
    for (const warning of config.warnings) log.warn(say(ENGLISH, warning));
    surviveLostConnections(log);
    const signalled = new Promise<null>((resolve) => onStopSignal(() => resolve(null)));
    const composed = await Promise.race([
      compose(config, "owner", log, (database) => readySchema(database, log)),
      signalled,
    ]);
    // stopped before anything started
    if (composed === null) return 0;
    const { services, close } = composed;
    try {
      await enableProjections(services);
      const work = await startWork(services);
      log.info("working", { runtime: runtimeName() });
      await signalled;
      log.info("stopping");
      await work.stop();
    } finally {
      await close();
    }
    return 0;
  },
});
