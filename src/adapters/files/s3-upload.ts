/** Uploads a stream as an object of a bucket, completely or not at all. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { cutIntoParts } from "../../bytes.ts";
import { PART_MS } from "./s3-client.ts";

/** Bytes of a part. An object has at most 10,000 parts, so 80 GB. */
const PART = 8 * 1024 * 1024;
/** An unfinished upload that was started this long ago was left by a killed process. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const PATIENCE = { requestTimeout: PART_MS };

type Place = { Bucket: string; Key: string };

/** Returns the number of bytes. Throws what the client or the stream throws. */
export async function upload(
  client: S3Client,
  place: Place,
  content: ReadableStream<Uint8Array>,
): Promise<number> {
  const parts = inParts(content);
  try {
    const first = await parts.next();
    const second = await parts.next();
    const whole = first.value ?? new Uint8Array();
    if (!second.done) return await uploadParts(client, place, joined(whole, second.value, parts));
    // small files need only one request
    await client.send(new PutObjectCommand({ ...place, Body: whole, ContentLength: whole.length }), PATIENCE);
    return whole.length;
  } finally {
    // tells the sender that nobody reads any more
    await parts.return(undefined);
  }
}

async function uploadParts(
  client: S3Client,
  place: Place,
  parts: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  const sent: { PartNumber: number; ETag: string | undefined }[] = [];
  let bytes = 0;
  try {
    for await (const Body of parts) {
      const PartNumber = sent.length + 1;
      const part = new UploadPartCommand({
        ...place,
        UploadId,
        PartNumber,
        Body,
        ContentLength: Body.length,
      });
      const { ETag } = await client.send(part, PATIENCE);
      sent.push({ PartNumber, ETag });
      bytes += Body.length;
    }
    const done = { ...place, UploadId, MultipartUpload: { Parts: sent } };
    await client.send(new CompleteMultipartUploadCommand(done), PATIENCE);
    return bytes;
  } catch (error) {
    // if this fails, `removeAbandoned` deletes the parts a day later
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined);
    throw error;
  }
}

/** Deletes the parts of unfinished uploads that were started more than a day ago. */
export async function removeAbandoned(
  client: S3Client,
  Bucket: string,
  prefix: string,
  now = Date.now(),
): Promise<void> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const command = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker });
    const page: ListMultipartUploadsCommandOutput = await client.send(command);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || now - Initiated.getTime() < ABANDONED_MS) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : null;
  }
}

/** The stream in pieces of the size of a part; the last one may be shorter. An empty stream has none. */
async function* inParts(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = content.getReader();
  const parts: Uint8Array[] = [];
  const cut = cutIntoParts(PART, async (part) => parts.push(part));
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      await cut.write(read.value);
      yield* parts.splice(0);
    }
    await cut.end();
    if (parts[0]!.length > 0) yield parts[0]!;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* joined(
  first: Uint8Array,
  second: Uint8Array,
  rest: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield second;
  yield* rest;
}
