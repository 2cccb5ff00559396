/** svc-manage as a process: arguments, exit code, and what can happen while it runs. */
import { isAfterLostConnection } from "./catalogue/lost-connections.ts";
import { main, reportError } from "./main.ts";

const words = process.argv.slice(2);
const serves = ["serve", "demo", "work"].includes(words[0] ?? "");
// the reader of the output may close the pipe (`| head`): the work continues
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
if (!serves) {
  process.on("uncaughtException", (error) => {
    if (!isAfterLostConnection(error)) process.exit(reportError(error));
  });
}
process.exitCode = await main(words);
// a hanging request must not keep a stopped service alive, nor a dead connection a refused command
if (serves || words[0] === "migrate") process.exit();
