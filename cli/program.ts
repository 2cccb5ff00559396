/** Runs svc-manage as a process: passes its arguments on, sets the exit code, and handles closed pipes and lost connections. */
import { isAfterLostConnection } from "./catalogue/lost-connections.ts";
import { main, reportError } from "./main.ts";

const words = process.argv.slice(2);
const serves = ["serve", "demo", "work"].includes(words[0] ?? "");
// if the reader of the output closes the pipe (`| head`), the work continues
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
if (!serves) {
  process.on("uncaughtException", (error) => {
    if (!isAfterLostConnection(error)) process.exit(reportError(error));
  });
}
process.exitCode = await main(words);
// neither a hanging request nor a dead connection may keep the process alive
if (serves || words[0] === "migrate") process.exit();
