/** Variables of media, images and where they are kept (contract §8.6): a part of the table in `variables.ts`. */
import { said } from "../messages/said.ts";
import * as kinds from "./value-kinds.ts";
import { filled, fixed, made, optional, secret } from "./variable.ts";

const storage = {
  STORAGE_BACKEND: fixed(
    kinds.oneOf("local", "s3"),
    "local",
    "Where new media files go. A change moves no files: `svc-manage media-move` does.",
  ),
  S3_ENDPOINT_URL: optional(kinds.url, "Address of the object store.", "the cloud's own"),
  S3_BUCKET: optional(
    kinds.matching(/^[\w.-]{3,255}$/, said("setting.expected.bucket")),
    "Must exist. With `STORAGE_BACKEND=local`, older files are read from it.",
  ),
  S3_REGION: fixed(kinds.word, "us-east-1", "Signing region."),
  S3_ACCESS_KEY: secret(optional(kinds.word, "Needs permission to put, get, delete and list in the bucket.")),
  S3_SECRET_KEY: secret(optional(kinds.word, "Secret for `S3_ACCESS_KEY`.")),
  S3_FORCE_PATH_STYLE: fixed(kinds.boolean, "true", "Bucket in the path instead of the host name."),
  S3_VERIFY_TLS: fixed(kinds.boolean, "true", "false only for tests."),
  S3_CA_BUNDLE: optional(kinds.path, "File with the certificates of a private CA."),
} as const;

export const media = {
  MEDIA_ROOT: filled(
    kinds.path,
    "{SVC_DATA_DIR}/media",
    "Media directory; in the container owned by UID/GID 1000. Logos and themes always stay here.",
  ),
  IMPORT_MAX_BYTES: fixed(
    kinds.bytes,
    "268435456",
    "Largest file for an import over the API in bytes; svc-manage has no limit.",
  ),
  MEDIA_MAX_BYTES: fixed(kinds.bytes, "536870912", "Largest upload in bytes."),
  MEDIA_MAX_PIXELS: fixed(
    kinds.integer(1, 4_294_836_225),
    "1000000000",
    "Largest picture in pixels (width × height); refused before it is decoded.",
  ),
  ...storage,
  CANTALOUPE_URL: optional(
    kinds.url,
    "An external Cantaloupe image server, used for `/iiif/3` after the visibility check. It must find originals as `originals/<media-id>.<extension>` in `MEDIA_ROOT` or the bucket.",
    "the built-in image server",
  ),
  CANTALOUPE_CACHE_TMPFS_SIZE: fixed(
    kinds.bytes,
    "512m",
    "Size of the image cache, unless `IMAGE_CACHE_MAX_BYTES` is set.",
  ),
  IMAGE_CACHE_MAX_BYTES: made(
    kinds.bytes,
    "`CANTALOUPE_CACHE_TMPFS_SIZE`",
    ({ value }) => Number(value("CANTALOUPE_CACHE_TMPFS_SIZE")),
    "Largest size of the cache of images in `{SVC_DATA_DIR}/image-cache`; the least recently used go first.",
  ),
};
