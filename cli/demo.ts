/** svc-manage demo: serves a museum to try out, from a temporary directory. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCommand } from "citty";
import { type Said, said } from "../src/messages/said.ts";
import type { Services } from "../src/services.ts";
import { openConfig } from "./catalogue/open.ts";
import { loadDemoMuseum } from "./demo/load.ts";
import { loadDemoMedia } from "./demo/media.ts";
import { loadDemoSettings } from "./demo/settings.ts";
import { runUntilStopped, start } from "./serve.ts";
import { meta } from "./terminal/options.ts";
import { openProgress } from "./terminal/progress.ts";
import { inWords } from "./terminal/words.ts";

const EMAIL = "curator@example.org";
const PASSWORD = "harbour-lights-1887";

export const demo = defineCommand({
  meta: meta("demo", "cli.help.demo.about"),
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "svc-demo-"));
    // at exit, not earlier: after a signal during the start, the museum is still loading
    process.once("exit", () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const { HOST, PORT, LOG_LEVEL, LOG_FORMAT, TZ } = process.env;
    const config = openConfig({
      HOST,
      PORT,
      LOG_LEVEL,
      LOG_FORMAT,
      TZ,
      SVC_DATA_DIR: dataDir,
      DEFAULT_ADMIN_EMAIL: EMAIL,
      DEFAULT_ADMIN_PASSWORD: PASSWORD,
      TRIPLESTORE_ENABLED: "true",
      SPARQL_REQUIRE_AUTH: "false",
    });
    return runUntilStopped(
      // the sign-in details are printed once the service is ready
      () => start(config, { prepare: fill, announce: () => undefined }),
      ({ url }) =>
        console.error(`\n${inWords(said("cli.demo.open", { url, email: EMAIL, password: PASSWORD }))}\n`),
    );
  },
});

/** The share of the work that loads records. The rest loads media. */
const RECORDS = 0.7;

async function fill(services: Services, wait: (told: Said) => void): Promise<void> {
  const progress = openProgress();
  const report = (part: number) => {
    wait(said("cli.demo.filled", { percent: Math.floor(part * 100) }));
    progress.show(part, said("cli.demo.filling"));
  };
  report(0);
  const ids = await loadDemoMuseum(services, (part) => report(part * RECORDS));
  await loadDemoMedia(services, ids, (part) => report(RECORDS + part * (1 - RECORDS)));
  await loadDemoSettings(services, ids);
  progress.clear();
}
