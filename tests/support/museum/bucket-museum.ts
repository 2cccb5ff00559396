/** A museum that can keep its media in a bucket: its service and commands, and a look into the bucket. */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { s3Files } from "../../../src/adapters/files/s3.ts";
import type { S3 } from "../../../src/adapters/files/s3-client.ts";
import type { Started } from "../../runtimes/started.ts";
import type { ObjectStore } from "../../servers/object-store.ts";
import { type Office, openOffice } from "../programs/command.ts";

export type BucketMuseum = Awaited<ReturnType<typeof openBucketMuseum>>;

export async function openBucketMuseum(store: ObjectStore) {
  const office: Office = await openOffice();
  let service: Started | undefined;
  let token = "";
  let object = "";
  /** The SHA-256 of each medium that was stored, by its id. */
  const kept = new Map<string, string>();
  const delivered = async (id: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service!.url}/objects/${object}/media/${id}/file`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  const send = (body: Uint8Array | ReadableStream<Uint8Array>, name: string) =>
    fetch(`${service!.url}/v1/objects/${object}/media`, {
      method: "POST",
      body: body as Uint8Array<ArrayBuffer>,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${name}"`,
        // an answer may come before the whole file was read, and then the service may close the connection
        Connection: "close",
      },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit);
  const stop = async () => service?.kill("SIGTERM");
  return {
    office,
    kept,
    /** Where new files go from the next start on. */
    storesIn(backend: "local" | "s3", change: Partial<S3> = {}) {
      const bucket = { ...store.bucket, ...change };
      Object.assign(office.settings, {
        STORAGE_BACKEND: backend,
        S3_ENDPOINT_URL: bucket.endpointUrl,
        S3_BUCKET: bucket.bucket,
        S3_ACCESS_KEY: bucket.accessKey,
        S3_SECRET_KEY: bucket.secretKey,
      });
    },
    /** Starts the service, again if it runs. The first time, somebody catalogues the object that all media belong to. */
    async open(): Promise<Started> {
      await stop();
      ({ service, token } = await office.serve());
      if (object === "") {
        const json = { object_type: "photograph", metadata_: {} };
        object = (await service.ask("/v1/objects", { token, json })).json.id;
      }
      return service;
    },
    stop,
    async inBucket(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of s3Files(store.bucket).list("")) keys.push(key);
      return keys.sort();
    },
    onDisk: () => readdir(join(office.settings.SVC_DATA_DIR!, "media/originals")).catch(() => []),
    /** Answers what the service answers. */
    send,
    /** Stores a file, which must succeed. */
    async keep(bytes: Uint8Array, name: string) {
      const answer = await send(bytes, name);
      const medium = (await answer.json()) as { media_id: string; sha256: string; storage_key: string };
      expect([answer.status, medium.sha256]).toEqual([201, digest(bytes)]);
      kept.set(medium.media_id, medium.sha256);
      return medium;
    },
    /** A file as the service delivers it. */
    delivered,
    async allAreThere() {
      for (const [id, sha256] of kept) {
        const { status, bytes } = await delivered(id);
        expect([status, digest(bytes)]).toEqual([200, sha256]);
      }
    },
    /** How many media the object has. */
    async media(): Promise<number> {
      return (await service!.ask(`/v1/objects/${object}/media`, { token })).json.total;
    },
    async record(): Promise<number> {
      return (await service!.ask(`/v1/objects/${object}`, { token })).status;
    },
    async image(medium: string, rest: string) {
      const answer = await fetch(`${service!.url}/iiif/3/${medium}/${rest}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
    },
    close: () => office.close(),
  };
}

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** @param other makes another file of the same length */
export function pdf(bytes: number, other = 0): Uint8Array {
  const full = new Uint8Array(bytes).fill(32 + other);
  full.set(new TextEncoder().encode("%PDF-1.4\n"));
  return full;
}
