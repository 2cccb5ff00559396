/** Variables of where media are kept (contract §8.6): a part of the table in `variables.ts`. */
import * as kinds from "./value-kinds.ts";
import { derived, fixed, optional, secret } from "./variable.ts";

export const storage = {
  STORAGE_BACKEND: fixed(
    kinds.oneOf("local", "s3"),
    "local",
    "Where new media files go. A change moves no files: `svc-manage media-move` does.",
  ),
  S3_ENDPOINT_URL: derived(kinds.url, "the cloud's own", "Address of the object store."),
  S3_BUCKET: optional(
    kinds.matching(/^[\w.-]{3,255}$/, "the name of a bucket"),
    "Bucket; must exist. Named with `STORAGE_BACKEND=local` too, older files are read from it.",
  ),
  S3_REGION: fixed(kinds.word, "us-east-1", "Signing region."),
  S3_ACCESS_KEY: secret(optional(kinds.word, "Needs permission to put, get, delete and list in the bucket.")),
  S3_SECRET_KEY: secret(optional(kinds.word, "Secret for `S3_ACCESS_KEY`.")),
  S3_FORCE_PATH_STYLE: fixed(kinds.boolean, "true", "Bucket in the path instead of the host name."),
  S3_VERIFY_TLS: fixed(kinds.boolean, "true", "false only for tests."),
  S3_CA_BUNDLE: optional(kinds.path, "File with the certificates of a private CA."),
} as const;
