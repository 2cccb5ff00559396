/** A medium as callers see it (interface §6). */

import { say, toldFrom } from "../messages/said.ts";
import type { Translate } from "../messages/translate.ts";
import type { Medium } from "../records/media/medium.ts";
import { imageService, isPicture, isShown, sizedImage } from "../records/media/pictures.ts";

/** `base`: the public address of the service, without a trailing slash. */
export function mediumJson(medium: Medium, base: string, t: Translate): Record<string, unknown> {
  return {
    media_id: medium.id,
    object_id: medium.object_id,
    filename: medium.filename,
    mime_type: medium.mime_type,
    category: medium.category,
    status: medium.status,
    error_detail: medium.error_detail && say(t, toldFrom(medium.error_detail)),
    bytes: medium.bytes,
    sha256: medium.sha256,
    width: medium.width,
    height: medium.height,
    duration: medium.duration,
    visibility: medium.visibility,
    is_primary: medium.is_primary,
    caption: medium.caption,
    alt_text: medium.alt_text,
    license_uri: medium.license_uri,
    rights_holder: medium.rights_holder,
    position: medium.position,
    storage_key: medium.storage_key,
    created_at: medium.created_at,
    updated_at: medium.updated_at,
    links: linksOf(medium, base),
  };
}

/** Pixels of the longer side. */
const THUMBNAIL = 400;

function linksOf(medium: Medium, base: string): Record<string, string> {
  const { id, object_id } = medium;
  return {
    ...(isPicture(medium)
      ? { thumbnail: sizedImage(base, medium, THUMBNAIL).address, iiif: imageService(base, id) }
      : {}),
    file: `${base}/objects/${object_id}/media/${id}/file`,
    ...(isShown(medium) ? { manifest: `${base}/iiif/presentation/3/objects/${object_id}/manifest` } : {}),
  };
}
