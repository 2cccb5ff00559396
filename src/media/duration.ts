/** How long a film or a sound is, told by its own head: IIIF manifests need to know (Presentation API 3.0 §3.2). */
import { parseWebStream } from "music-metadata";
import { inTime } from "../in-time.ts";
import type { Files } from "../services.ts";

/** A film may keep what it says of itself at its end; one that takes longer to read than this has no known length. */
const PATIENCE_MS = 30_000;

/** Seconds; null when the file does not say, or cannot be read by us: browsers know more kinds. */
export async function durationOf(
  files: Files,
  { key, mimeType, bytes }: { key: string; mimeType: string; bytes: number },
): Promise<number | null> {
  const found = await files.get(key);
  if (found === null) return null;
  const about = { mimeType, size: bytes };
  const read = parseWebStream(found.content as never, about, { skipCovers: true, duration: true });
  try {
    const duration = (await inTime(read, PATIENCE_MS))?.format.duration;
    return duration !== undefined && Number.isFinite(duration) && duration > 0 ? duration : null;
  } catch {
    return null;
  } finally {
    await found.content.cancel().catch(() => undefined);
  }
}
