/** svc-manage as a process: its words, its exit code, and what may happen to it while it works. */
import { isAfterLostConnection } from "./lost-connections.ts";
import { main, tell } from "./main.ts";

const words = process.argv.slice(2);
const serves = ["serve", "demo", "work"].includes(words[0] ?? "");
// whoever reads what is said may leave (`| head`): the work goes on
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
if (!serves) {
  process.on("uncaughtException", (error) => {
    if (!isAfterLostConnection(error)) process.exit(tell(error, words[0]));
  });
}
process.exitCode = await main(words);
// a request that hangs for ever must not keep a stopped service alive, nor a connection that nobody answers a refusal
if (serves || words[0] === "migrate") process.exit();
