/**
 * A thread of the process of a triple store that ends it when the service is gone, killed for example. The thread with the
 * store cannot: as long as a query runs it hears nothing.
 */
import process from "node:process";
import { workerData as service } from "node:worker_threads";

setInterval(() => {
  if (process.ppid !== service) process.kill(process.pid, "SIGKILL");
}, 1_000);
