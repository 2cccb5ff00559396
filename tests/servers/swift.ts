/** An object store for a test: OpenStack Swift with its S3 API, from Debian. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, connect, type LookupFunction } from "node:net";
import { createServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import { bucketClient, type S3 } from "../../src/adapters/files/s3-client.ts";
import { freePort } from "../runtimes/started.ts";
import { begin } from "../support/processes.ts";
import type { Certificate } from "../support/relay.ts";

/** For the list of skipped tests. */
export const STORE_MISSING =
  "an object store (apt-get install swift-proxy swift-account swift-container swift-object)";

/** Debian's Python, because it has Swift, whatever other Python comes first. */
const PYTHON = "/usr/bin/python3";
/** Names of buckets below it lead to the store, if they are resolved at all. */
export const DOMAIN = "s3.test.internal";

export type ObjectStore = {
  /** With valid secrets and the name of an existing bucket. */
  bucket: S3;
  client: S3Client;
  close(): Promise<void>;
};

export function isStoreHere(): boolean {
  if (!existsSync(PYTHON) || !existsSync("/usr/bin/swift-proxy-server")) return false;
  try {
    execFileSync(PYTHON, ["-c", "import swift, eventlet"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function openObjectStore(): Promise<ObjectStore> {
  // Swift stores what it knows of an object in extended attributes, which a disk in memory may not support
  const directory = mkdtempSync("/var/tmp/svc-store-");
  const port = await freePort();
  const script = fileURLToPath(new URL("swift-store.py", import.meta.url));
  const program = begin([PYTHON, script, directory, String(port), DOMAIN], { PATH: "/usr/bin:/bin" });
  await program.said(/^ready$/);
  const bucket: S3 = {
    endpointUrl: `http://127.0.0.1:${port}`,
    bucket: "museum-media",
    region: "us-east-1",
    accessKey: "test:tester",
    secretKey: "testing",
    forcePathStyle: true,
    verifyTls: true,
    caBundle: null,
  };
  const client = bucketClient(bucket);
  await client.send(new CreateBucketCommand({ Bucket: bucket.bucket }));
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

/** TLS in front of a store without it; answers the port. */
export async function openTlsFront(store: string, certificate: Certificate) {
  const server = createServer(certificate, (near) => {
    const far = connect(Number(new URL(store).port), "127.0.0.1");
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** Resolves every name to this machine, as an internal name server may. */
export const here: LookupFunction = (_name, options, found) =>
  options.all ? found(null, [{ address: "127.0.0.1", family: 4 }]) : found(null, "127.0.0.1", 4);
