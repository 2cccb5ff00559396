/** Variables of media files and of images: a part of the table in `variables.ts`. */
import { storage } from "./storage-variables.ts";
import * as kinds from "./value-kinds.ts";
import { derived, fixed } from "./variable.ts";

export const media = {
  MEDIA_ROOT: derived(
    kinds.path,
    "`{SVC_DATA_DIR}/media`",
    "Media directory; in the container owned by UID/GID 1000. Logos and themes stay here also with s3.",
  ),
  IMPORT_MAX_BYTES: fixed(
    kinds.bytes,
    "268435456",
    "Largest file for an import over the API in bytes; svc-manage takes any.",
  ),
  MEDIA_MAX_BYTES: fixed(kinds.bytes, "536870912", "Largest upload in bytes."),
  MEDIA_MAX_PIXELS: fixed(
    kinds.integer(1, 4_294_836_225),
    "1000000000",
    "Largest picture in pixels (width × height); refused before it is decoded.",
  ),
  ...storage,
  CANTALOUPE_URL: derived(
    kinds.url,
    "the built-in image server",
    "An external Cantaloupe image server: after the visibility check it answers what is asked under `/iiif/3`. It must find originals by `<media-id>.<ending>`, in the directory `originals` of `MEDIA_ROOT` or of the bucket.",
  ),
  CANTALOUPE_CACHE_TMPFS_SIZE: fixed(
    kinds.bytes,
    "512m",
    "Size of the cache of the image server, unless `IMAGE_CACHE_MAX_BYTES` says another.",
  ),
  IMAGE_CACHE_MAX_BYTES: derived(
    kinds.bytes,
    "`CANTALOUPE_CACHE_TMPFS_SIZE`",
    "Images that were made once are kept in `{SVC_DATA_DIR}/image-cache` up to this size; what was not asked for longest goes first.",
  ),
};
