/** A stream becomes an object of a bucket: the whole of it or nothing. */
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
import { PART_MS } from "./s3-client.ts";

/** Bytes; an object has 10,000 parts at most, which makes 80 GB. */
const PART = 8 * 1024 * 1024;
/** An upload that was begun so long ago was left by a killed process, or its end was lost. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const PATIENCE = { requestTimeout: PART_MS };

type Place = { Bucket: string; Key: string };

/** Answers the bytes. What fails on the way out is thrown as the client throws it, what the stream throws as it is. */
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
    // at once: a store keeps it when it has all of it
    await client.send(new PutObjectCommand({ ...place, Body: whole, ContentLength: whole.length }), PATIENCE);
    return whole.length;
  } finally {
    // whoever sends is told that nobody reads on
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
    // what this does not reach is taken away a day later
    await client.send(new AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => undefined);
    throw error;
  }
}

/** Takes away what uploads have left that broke off a day ago, and whose store could not be told. */
export async function removeAbandoned(
  client: S3Client,
  Bucket: string,
  prefix: string,
  now = Date.now(),
): Promise<void> {
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const asked = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker });
    const page: ListMultipartUploadsCommandOutput = await client.send(asked);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || now - Initiated.getTime() < ABANDONED_MS) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : null;
  }
}

/** Pieces of the size of a part, the last one shorter; none of an empty stream. */
async function* inParts(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = content.getReader();
  let room = new Uint8Array(PART);
  let full = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      for (let at = 0; at < read.value.length; ) {
        const piece = read.value.subarray(at, at + PART - full);
        room.set(piece, full);
        full += piece.length;
        at += piece.length;
        if (full < PART) continue;
        yield room;
        room = new Uint8Array(PART);
        full = 0;
      }
    }
    if (full > 0) yield room.subarray(0, full);
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
