/** What the tests need of any object store with the S3 API. */
import { once } from "node:events";
import { type AddressInfo, connect, type LookupFunction } from "node:net";
import { createServer } from "node:tls";
import { CreateBucketCommand, type S3Client } from "@aws-sdk/client-s3";
import { bucketClient, type S3 } from "../../src/adapters/files/s3-client.ts";
import type { Certificate } from "../support/servers/relay.ts";

/** Names of buckets below it lead to the store, if they are resolved at all. */
export const DOMAIN = "s3.test.internal";

export type ObjectStore = {
  /** With valid secrets and the name of an existing bucket. */
  bucket: S3;
  client: S3Client;
  close(): Promise<void>;
};

/** Creates a bucket in the store at this port. */
export async function makeBucket(
  port: string,
  keys: { accessKey: string; secretKey: string },
): Promise<{ bucket: S3; client: S3Client }> {
  const bucket: S3 = {
    endpointUrl: `http://127.0.0.1:${port}`,
    bucket: "museum-media",
    region: "us-east-1",
    ...keys,
    forcePathStyle: true,
    verifyTls: true,
    caBundle: null,
  };
  const client = bucketClient(bucket);
  await client.send(new CreateBucketCommand({ Bucket: bucket.bucket }));
  return { bucket, client };
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
