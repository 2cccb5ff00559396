/** The file of a medium over HTTP: whole or in part, never in a way in which it could run (RFC 9110 §§13, 14). */
import type { Caller } from "../caller.ts";
import { cacheHeaders } from "../http/caching.ts";
import { contentDisposition } from "../http/disposition.ts";
import { fileAnswer } from "../http/file-answer.ts";
import type { Ctx } from "../http/route.ts";
import { Problem } from "../problem.ts";
import { seesPrivateMedia } from "../records/visibility.ts";
import type { Services } from "../services.ts";
import type { Medium } from "./medium.ts";
import { withhold } from "./withheld.ts";

/**
 * What the file may do when a browser opens it by itself: show itself, and nothing else. PDF is shown by a viewer of the
 * browser, which a sandbox would keep away (https://crbug.com/413851); scripts have no leave there either.
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
        throw new Problem(
          "unavailable",
          "The file of this medium is missing; whoever runs the service should look for it",
        );
      }
      return parts.length > 0 ? found.content.pipeThrough(withhold(parts, range?.first ?? 0)) : found.content;
    },
  });
}
