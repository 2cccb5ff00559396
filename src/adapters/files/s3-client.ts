/** The client of an S3 bucket: endpoint, timeouts and error messages. */
import { readFileSync } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import process from "node:process";
import { S3Client } from "@aws-sdk/client-s3";
import type { Config } from "../../config/read.ts";
import { Problem } from "../../problem.ts";
import { Refusal } from "../../refusal.ts";
import { VERSION } from "../../version.ts";

export type S3 = NonNullable<Config["s3"]>;

/** Milliseconds: until one try of a call is answered, and of an object without a byte that somebody waits for. */
export const PATIENCE_MS = 15_000;
/** A part of an upload may take as long as a slow line needs for it. */
export const PART_MS = 120_000;
const CONNECT_MS = 5_000;
const TRIES = 3;

/** For tests: `lookup` is how host names are resolved, `listedAtOnce` how many keys an answer has at most. */
export type Settings = { lookup?: LookupFunction; patienceMs?: number; listedAtOnce?: number };

export function bucketClient(bucket: S3, { lookup, patienceMs = PATIENCE_MS }: Settings = {}): S3Client {
  // what it has to say of old versions of Node is for those who build with it, not for those who run this
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";
  // one reader that is slow holds one connection: a bound on them would be a bound on readers
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
    // the signature holds a SHA-256 of what is sent; checksums beyond it are not understood by many object stores
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // the client's own says which machine this is
    defaultUserAgentProvider: async () => [["collections-catalogue", VERSION]],
    requestHandler,
  });
}

function authorities({ caBundle }: S3): string | undefined {
  if (caBundle === null) return undefined;
  try {
    return readFileSync(caBundle, "utf8");
  } catch (cause) {
    throw new Refusal(`S3_CA_BUNDLE cannot be read: ${(cause as Error).message}`, 1, { cause });
  }
}

/**
 * Why the bucket does not do what it should, for the log and the operator; `code` as /health words it. The client's own
 * error is not kept in it: that one holds whole connections.
 */
class BucketFailure extends Error {
  override readonly name = "BucketFailure";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type Thrown = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** A 503 for the caller, with the reason as its cause. */
export function bucketProblem(bucket: S3, thrown: unknown): Problem {
  const cause = failureOf(bucket, thrown as Thrown);
  return new Problem("unavailable", "The store of media files cannot be reached. Try again in a minute", {
    headers: { "Retry-After": "60" },
    cause,
  });
}

function failureOf(bucket: S3, error: Thrown): BucketFailure {
  const place = bucket.endpointUrl === null ? "the cloud" : new URL(bucket.endpointUrl).host;
  const status = error.$metadata?.httpStatusCode;
  const failure = (code: string, message: string) => new BucketFailure(code, message);
  if (error.name === "NoSuchBucket") {
    return failure("NO_BUCKET", `S3_BUCKET: ${place} has no bucket ${bucket.bucket}; create it there first`);
  }
  if (status === 301 || error.name === "PermanentRedirect" || error.name === "AuthorizationHeaderMalformed") {
    return failure(
      "OTHER_REGION",
      `S3_REGION: the bucket ${bucket.bucket} is not in ${bucket.region} (${error.message})`,
    );
  }
  if (status === 401 || status === 403) {
    return failure(
      "REFUSES_KEYS",
      `S3_ACCESS_KEY, S3_SECRET_KEY: ${place} refuses them for the bucket ${bucket.bucket} (${error.name}); they need ` +
        "permission to put, get, delete and list",
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|certificate/i.test(`${error.code} ${error.message}`)) {
    return failure(
      "NOT_TRUSTED",
      `The certificate of ${place} is not trusted (${error.message}); S3_CA_BUNDLE names a private CA`,
    );
  }
  if (status !== undefined && status > 0) {
    return failure(`HTTP_${status}`, `${place} answers ${status} ${error.name}: ${error.message}`);
  }
  return failure(
    error.code ?? (error.name === "TimeoutError" ? "ETIMEDOUT" : "UNREACHABLE"),
    `${place} cannot be reached (${error.message || error.code || error.name})`,
  );
}
