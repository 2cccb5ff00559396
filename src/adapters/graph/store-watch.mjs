/**
 * A second thread in the process of a triple store. It ends the process when the service is gone, for example killed. The
 * main thread cannot notice that while a query runs.
 */
import process from "node:process";
import { workerData as service } from "node:worker_threads";

setInterval(() => {
  if (process.ppid !== service) process.kill(process.pid, "SIGKILL");
}, 1_000);
