/** svc-manage demo: a museum to try out, in a directory that is deleted at the end. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCommand } from "citty";
import { said } from "../src/messages/said.ts";
import { loadDemoMuseum } from "./demo/load.ts";
import { loadDemoMedia } from "./demo/media.ts";
import { loadDemoSettings } from "./demo/settings.ts";
import { openConfig } from "./open.ts";
import { runUntilStopped, start } from "./serve.ts";
import { help, inWords } from "./words.ts";

const EMAIL = "curator@example.org";
const PASSWORD = "harbour-lights-1887";

export const demo = defineCommand({
  meta: { name: "demo", description: help("cli.help.demo.about") },
  async run() {
    const dataDir = await mkdtemp(join(tmpdir(), "svc-demo-"));
    // not before: after a signal during the start, the museum is still being loaded
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
      () =>
        start(config, async (services) => {
          const ids = await loadDemoMuseum(services);
          await loadDemoMedia(services, ids);
          await loadDemoSettings(services, ids);
        }),
      ({ url }) =>
        console.error(`\n${inWords(said("cli.demo.open", { url, email: EMAIL, password: PASSWORD }))}\n`),
    );
  },
});
