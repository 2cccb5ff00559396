/** An object store for a test that may also stop and start it: SeaweedFS, whose S3 API checks every signature. */
import { mkdtempSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../runtimes/started.ts";
import { begin, type Program } from "../support/programs/processes.ts";
import { DOMAIN, makeBucket, type ObjectStore } from "./object-store.ts";
import { findPackage, packageMissing, SEAWEEDFS } from "./packages.ts";

/** For the list of skipped tests. */
export const SEAWEEDFS_MISSING = packageMissing(SEAWEEDFS);

export const isSeaweedfsHere = (): boolean => findPackage(SEAWEEDFS) !== null;

const KEYS = { accessKey: "MUSEUMKEY0001", secretKey: "museum/secret+0001" };
const IDENTITIES = [{ name: "museum", credentials: [KEYS], actions: ["Admin"] }];

export type SeaweedStore = ObjectStore & {
  /** Kills it, as in a power failure. It keeps its data. */
  stop(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
};

export async function openSeaweedfs(): Promise<SeaweedStore> {
  const directory = mkdtempSync(join(tmpdir(), "svc-seaweedfs-"));
  const config = join(directory, "s3.json");
  await writeFile(config, JSON.stringify({ identities: IDENTITIES }));
  await mkdir(join(directory, "data"));
  const ports: Record<string, string> = {};
  for (const part of ["master", "volume", "filer", "s3"]) {
    for (const kind of ["port", "port.grpc"]) ports[`${part}.${kind}`] = await freePort();
  }
  const options = {
    ...ports,
    ip: "127.0.0.1",
    "ip.bind": "127.0.0.1",
    dir: join(directory, "data"),
    // one master, which need not wait for others
    "master.peers": "none",
    "master.electionTimeout": "100ms",
    "master.heartbeatInterval": "50ms",
    "master.telemetry": "false",
    "master.volumeSizeLimitMB": "256",
    "volume.max": "100",
    "volume.minFreeSpace": "1MiB",
    "filer.localSocket": join(directory, "filer.sock"),
    s3: "true",
    "s3.config": config,
    "s3.domainName": DOMAIN,
    "s3.localSocket": join(directory, "s3.sock"),
    "s3.autoCreateBucket": "false",
    "s3.iam": "false",
    "s3.port.iceberg": "0",
    "s3.port.lance": "0",
  };
  const command = Object.entries(options).map(([name, value]) => `-${name}=${value}`);
  let server: Program;
  const start = async () => {
    const env = { PATH: process.env.PATH, HOME: directory, TMPDIR: directory };
    server = begin([findPackage(SEAWEEDFS)!, "server", ...command], env, directory);
    await server.said(/added volume server/);
    await server.said(/Start Seaweed S3 API Server/);
  };
  const stop = () => server.kill("SIGKILL");
  await start();
  const { bucket, client } = await makeBucket(ports["s3.port"]!, KEYS);
  return {
    bucket,
    client,
    stop,
    start,
    async close() {
      client.destroy();
      await stop();
      await rm(directory, { recursive: true, force: true });
      // they are always there, whatever TMPDIR says
      for (const part of ["master", "volume", "filer", "s3"]) {
        await rm(`/tmp/seaweedfs-${part}-grpc-${ports[`${part}.port.grpc`]}.sock`, { force: true });
      }
    },
  };
}
