/** Delivers the file of a medium, whole or in part (RFC 9110 §§13, 14), in a way that browsers never run scripts in it. */

import type { Caller } from "../caller.ts";
import { cacheHeaders } from "../http/answer/caching.ts";
import { contentDisposition } from "../http/answer/disposition.ts";
import { fileAnswer } from "../http/answer/file-answer.ts";
import type { Ctx } from "../http/route.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Medium } from "../records/media/medium.ts";
import { withhold } from "../records/media/private/withheld.ts";
import { seesPrivateMedia } from "../records/visibility.ts";
import type { Services } from "../services.ts";

/**
 * A browser may only display a file that it opens directly. PDF has no sandbox, which would block the browser's viewer
 * (https://crbug.com/413851). Scripts are still forbidden.
 */
const SHOWN =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'";
const policyOf = ({ category }: Medium): string => (category === "pdf" ? SHOWN : `${SHOWN}; sandbox`);

export async function deliverFile(
  { files, log }: Services,
  c: Ctx,
  caller: Caller,
  medium: Medium,
): Promise<Response> {
  const parts = seesPrivateMedia(caller) ? [] : medium.private_parts;
  const etag = `"${medium.sha256}${parts.length > 0 ? "-public" : ""}"`;
  const head = cacheHeaders(caller, etag, medium.created_at);
  return fileAnswer(c, {
    bytes: medium.bytes,
    head,
    headers: {
      "Content-Type": medium.mime_type,
      "Content-Disposition": contentDisposition("inline", medium.filename),
      "Content-Security-Policy": policyOf(medium),
    },
    async content(range) {
      const found = await files.get(medium.storage_key, range ?? undefined);
      if (found === null) {
        log.error("the file of a medium is missing", { media_id: medium.id, key: medium.storage_key });
        throw new Problem("unavailable", said("problem.medium.file_missing"));
      }
      return parts.length > 0 ? found.content.pipeThrough(withhold(parts, range?.first ?? 0)) : found.content;
    },
  });
}
