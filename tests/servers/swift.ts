/** An object store for a test: OpenStack Swift with its S3 API, from Debian. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../runtimes/started.ts";
import { begin } from "../support/programs/processes.ts";
import { DOMAIN, makeBucket, type ObjectStore } from "./object-store.ts";

/** For the list of skipped tests. */
export const SWIFT_MISSING =
  "OpenStack Swift (apt-get install swift-proxy swift-account swift-container swift-object)";

/** Debian's Python, because it has Swift, whatever other Python comes first. */
const PYTHON = "/usr/bin/python3";

export function isSwiftHere(): boolean {
  if (!existsSync(PYTHON) || !existsSync("/usr/bin/swift-proxy-server")) return false;
  try {
    execFileSync(PYTHON, ["-c", "import swift, eventlet"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function openSwift(): Promise<ObjectStore> {
  // Swift stores what it knows of an object in extended attributes, which a disk in memory may not support
  const directory = mkdtempSync("/var/tmp/svc-store-");
  const port = await freePort();
  const script = fileURLToPath(new URL("swift-store.py", import.meta.url));
  const program = begin([PYTHON, script, directory, port, DOMAIN], { PATH: "/usr/bin:/bin" });
  await program.said(/^ready$/);
  const { bucket, client } = await makeBucket(port, { accessKey: "test:tester", secretKey: "testing" });
  return {
    bucket,
    client,
    async close() {
      client.destroy();
      await program.kill("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}
