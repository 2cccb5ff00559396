/** svc-manage serve: runs the service until it is told to stop. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "citty";
import { ensureFirstAdmin } from "../src/accounts/first-run.ts";
import { ownShares } from "../src/adapters/descriptors.ts";
import { directoryFault, MEDIA_MODE } from "../src/adapters/directories.ts";
import { writeCredentials } from "../src/adapters/files/credentials.ts";
import { standardErrorLines } from "../src/adapters/standard-error.ts";
import { createApp } from "../src/app.ts";
import { compose, logOf } from "../src/compose.ts";
import { type Config, listeningOn } from "../src/config/read.ts";
import { fixedHead } from "../src/http/request/browser.ts";
import { errorFields, type Log } from "../src/log.ts";
import { type Said, said, say } from "../src/messages/said.ts";
import { ENGLISH } from "../src/messages/translate.ts";
import type { App } from "../src/runtimes/listening.ts";
import { type Listening, listen, runtimeName } from "../src/runtimes/serve.ts";
import type { Bucket, Services } from "../src/services.ts";
import { withTimeout } from "../src/with-timeout.ts";
import { enableProjections } from "../workers/projections.ts";
import { startWork } from "../workers/work.ts";
import { openDoor } from "./catalogue/door.ts";
import { isAfterLostConnection } from "./catalogue/lost-connections.ts";
import { openConfig } from "./catalogue/open.ts";
import { readySchema } from "./catalogue/ready-schema.ts";
import { unreadyApp } from "./catalogue/unready.ts";
import { meta } from "./terminal/options.ts";
import { onStopSignal } from "./terminal/stop-signals.ts";

export type Preparation = {
  /** Runs before the first request is answered. `wait` sets the message of the 503 answers until then. */
  prepare?(services: Services, wait: (told: Said) => void): Promise<void>;
  /** Prints how to sign in as the first administrator. The default is standard error. */
  announce?(text: string): void;
};
export type Running = { services: Services; url: string; stop(): Promise<void> };

/**
 * Starts the service. Resolves when it serves requests. With the embedded database it listens at once, and answers 503
 * with the reason until it is ready. With an external database it listens only when it is ready, so that a proxy sends
 * requests to the other services until then.
 */
export async function start(wanted: Config, { prepare, announce }: Preparation = {}): Promise<Running> {
  const write = standardErrorLines();
  const log = logOf(wanted, process.stderr.isTTY, write);
  for (const warning of wanted.warnings) log.warn(say(ENGLISH, warning));
  const head = fixedHead(wanted);
  let waiting: Said = said("cli.starting");
  let app: App = unreadyApp(wanted, () => waiting);
  const { connections, connectionsEach } = ownShares();
  const each = { connections: connectionsEach, proxies: wanted.trustedProxies, warn: log.warn };
  const address = { host: wanted.host, port: wanted.port, connections, each };
  let begun: Promise<Listening> | undefined;
  const listening = () => {
    begun ??= listen({ fetch: (request, env) => app.fetch(request, env) }, address, head);
    return begun;
  };
  const isAlone = wanted.databaseUrl === null || wanted.port === 0;
  const config = isAlone ? listeningOn(wanted, (await listening()).port) : wanted;
  surviveLostConnections(log);
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, "database"))) {
    // `compose` reports the fault
    const fault = await directoryFault("SVC_DATA_DIR", config.dataDir);
    if (fault === null) log.info("creating the database", { directory: config.dataDir });
  }
  try {
    const { services, beginToStop, close } = await compose(config, "owner", log, (database) =>
      readySchema(database, log, async (lacking) => {
        waiting = lacking;
        await listening();
      }),
    );
    try {
      await prepareDirectories(services);
      if (services.bucket) tryBucket(services.bucket, log);
      await ensureFirstAdmin(services, {
        writeCredentials: (text) => writeCredentials(config.firstRunCredentialsPath, text),
        print: announce ?? write,
      });
      await enableProjections(services);
      await prepare?.(services, (told) => {
        waiting = told;
      });
      const api = createApp(services);
      app = api.app;
      const { stop } = await listening();
      const work =
        config.work === "inside" ? await startWork(services, { isBusy: () => api.meter.inFlight > 0 }) : null;
      const door = services.database === "embedded" ? await openDoor(services) : null;
      const url = config.baseUrl;
      const doors = { url, staff: `${url}/admin`, api: `${url}/api/docs` };
      log.info("ready", { ...doors, database: services.database, runtime: runtimeName() });
      return {
        services,
        url: config.baseUrl,
        async stop() {
          const stopAll = async () => {
            beginToStop();
            // at the same time, so that jobs get no longer than the last requests
            await Promise.all([stop(), door?.close(), work?.stop()]);
            await close();
          };
          await withTimeout(stopAll(), LONGEST_STOP);
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    if (isAlone) await (await listening()).stop();
    throw error;
  }
}

/** Milliseconds. `docker stop` kills after ten seconds. Committed data is already on disk. */
const LONGEST_STOP = 9_500;

/** Contract §7.1: warns at the start if uploads or backups will fail. */
async function prepareDirectories({ config, log }: Services): Promise<void> {
  const faults = [
    await directoryFault("MEDIA_ROOT", config.mediaRoot, MEDIA_MODE),
    config.backup.enabled ? await directoryFault("BACKUP_ROOT", config.backupRoot) : null,
  ];
  for (const fault of faults) if (fault) log.warn(say(ENGLISH, fault));
}

/** Contract §8.6: the start does not wait for this check, because the catalogue also works without media. */
function tryBucket(bucket: Bucket, log: Log): void {
  bucket.ping().catch((error) => log.warn("media cannot be stored in the bucket", errorFields(error)));
}

/** Anything but a lost connection is a bug. The process then ends, because its state is unknown. Its supervisor restarts it. */
export function surviveLostConnections(log: Log): void {
  process.on("uncaughtException", (error) => {
    const lost = isAfterLostConnection(error);
    log.error(lost ? "a database connection broke" : "unexpected fault, stopping", errorFields(error));
    if (!lost) process.exit(1);
  });
}

/** Stops on a signal. A second signal, or one during the start, ends the process at once, which is as safe as a kill. */
export async function runUntilStopped(
  begin: () => Promise<Running>,
  onReady: (running: Running) => void = () => undefined,
): Promise<number> {
  const signalled = new Promise<null>((resolve) => {
    onStopSignal(() => resolve(null));
  });
  const running = await Promise.race([begin(), signalled]);
  if (running === null) return 0;
  onReady(running);
  await signalled;
  running.services.log.info("stopping");
  await running.stop();
  return 0;
}

export const serve = defineCommand({
  meta: meta("serve", "cli.help.serve.about"),
  run: () => runUntilStopped(() => start(openConfig())),
});
