/** The client of an S3 bucket: endpoint, timeouts and error messages. */

import { readFileSync } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import process from "node:process";
import { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "../../config/read.ts";
import { VERSION } from "../../config/version.ts";
import { type Said, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { Refusal } from "../../refusal.ts";

export type S3 = NonNullable<Config["s3"]>;

/** Milliseconds that an attempt of a call may take, and that a reader of an object waits for the next bytes. */
export const PATIENCE_MS = 15_000;
/** Milliseconds for one part of an upload, enough for a slow line. */
export const PART_MS = 120_000;
const CONNECT_MS = 5_000;
const TRIES = 3;

/** For tests. `lookup`: resolves host names. `listedAtOnce`: the most keys in one answer. */
export type Settings = { lookup?: LookupFunction; patienceMs?: number; listedAtOnce?: number };

export function bucketClient(bucket: S3, { lookup, patienceMs = PATIENCE_MS }: Settings = {}): S3Client {
  // the client's warning about old versions of Node does not help operators
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  // each slow reader keeps one connection, so a limit on connections would limit readers
  const common = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, lookup };
  const requestHandler = {
    connectionTimeout: CONNECT_MS,
    requestTimeout: patienceMs,
    throwOnRequestTimeout: true,
    httpAgent: new HttpAgent(common),
    httpsAgent: new HttpsAgent({ ...common, ca: authorities(bucket), rejectUnauthorized: bucket.verifyTls }),
  };
  return new S3Client({
    ...(bucket.endpointUrl === null ? {} : { endpoint: bucket.endpointUrl }),
    region: bucket.region,
    credentials: { accessKeyId: bucket.accessKey, secretAccessKey: bucket.secretKey },
    forcePathStyle: bucket.forcePathStyle,
    maxAttempts: TRIES,
    // many object stores do not understand additional checksums; the signature already contains a SHA-256
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // the client's own value would describe this machine
    defaultUserAgentProvider: async () => [["collections-catalogue", VERSION]],
    requestHandler,
  });
}

function authorities({ caBundle }: S3): string | undefined {
  if (caBundle === null) return undefined;
  try {
    return readFileSync(caBundle, "utf8");
  } catch (cause) {
    throw new Refusal(said("cli.bucket.ca_bundle", { reason: (cause as Error).message }), 1, { cause });
  }
}

/**
 * Why the bucket cannot be used, for the log and the operator. `code` is what /health shows. The client's own error is not
 * kept as the cause, because it contains whole connections.
 */
class BucketFailure extends Refusal {
  override readonly name = "BucketFailure";
  readonly code: string;
  constructor(code: string, told: Said) {
    super(told);
    this.code = code;
  }
}

type Thrown = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** What the keys must be permitted to do. */
export type Permission = "put" | "get" | "delete" | "list";

/**
 * A 503 for the caller, with the reason as its cause.
 *
 * @param permission that the failed call needed
 */
export function bucketProblem(bucket: S3, permission: Permission, thrown: unknown): Problem {
  const cause = failureOf(bucket, permission, thrown as Thrown);
  return new Problem("unavailable", said("problem.media.store_unreachable"), {
    headers: { "Retry-After": "60" },
    cause,
  });
}

function failureOf(bucket: S3, permission: Permission, error: Thrown): BucketFailure {
  const place = bucket.endpointUrl === null ? said("cli.bucket.cloud") : new URL(bucket.endpointUrl).host;
  const named = { place, bucket: bucket.bucket };
  const status = error.$metadata?.httpStatusCode;
  // an answer to HEAD has no body with the store's reason
  const hasReason = error.name !== "Unknown";
  const failure = (code: string, told: Said) => new BucketFailure(code, told);
  if (error.name === "NoSuchBucket") return failure("NO_BUCKET", said("cli.bucket.none", named));
  if (status === 301 || error.name === "PermanentRedirect" || error.name === "AuthorizationHeaderMalformed") {
    const about = { bucket: bucket.bucket, region: bucket.region, reason: error.message };
    return failure("OTHER_REGION", said("cli.bucket.other_region", about));
  }
  if (status === 401 || status === 403) {
    const reason = hasReason ? error.name : `HTTP ${status}`;
    return failure(
      "REFUSES_KEYS",
      error.name === "AccessDenied"
        ? said("cli.bucket.not_permitted", { ...named, permission, reason })
        : said("cli.bucket.keys_refused", { ...named, reason }),
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|certificate/i.test(`${error.code} ${error.message}`)) {
    return failure("NOT_TRUSTED", said("cli.bucket.not_trusted", { place, reason: error.message }));
  }
  if (status !== undefined && status > 0) {
    const reason = hasReason ? ` ${error.name}: ${error.message}` : "";
    return failure(`HTTP_${status}`, said("cli.bucket.answers", { place, status: `${status}${reason}` }));
  }
  return failure(
    error.code ?? (error.name === "TimeoutError" ? "ETIMEDOUT" : "UNREACHABLE"),
    said("cli.bucket.unreachable", { place, reason: error.message || error.code || error.name }),
  );
}
