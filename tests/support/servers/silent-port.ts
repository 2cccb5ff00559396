/** A port on which connections are never accepted, like that of a machine that is switched off. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { begin } from "../programs/processes.ts";

/** Milliseconds; connecting to a process of this machine takes less than one. */
const UNANSWERED = 500;

export async function openSilentPort(): Promise<{ port: string; close(): Promise<void> }> {
  const listen = `const server = require("net").createServer().listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () =>
    console.log("port " + server.address().port))`;
  const program = begin([process.execPath, "-e", listen], {});
  const port = (await program.said(/^port \d+$/)).slice("port ".length);
  program.child.kill("SIGSTOP");
  // the system accepts a few until its queue is full
  const queue: Socket[] = [];
  for (let answered = true; answered; ) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    queue.push(socket);
    answered = await Promise.race([
      once(socket, "connect").then(() => true),
      setTimeout(UNANSWERED).then(() => false),
    ]);
  }
  return {
    port,
    async close() {
      for (const socket of queue) socket.destroy();
      await program.kill("SIGKILL");
    },
  };
}
