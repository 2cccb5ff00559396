/** Reads the duration of a film or sound from its headers, for IIIF manifests (Presentation API 3.0 §3.2). */
import { parseWebStream } from "music-metadata";
import type { Files } from "../services.ts";
import { withTimeout } from "../with-timeout.ts";

/** Milliseconds. The headers of a film may be at its end. If reading takes longer, the duration stays unknown. */
const PATIENCE_MS = 30_000;

/** Seconds; null if the file does not say, or has a format that only browsers can read. */
export async function durationOf(
  files: Files,
  { key, mimeType, bytes }: { key: string; mimeType: string; bytes: number },
): Promise<number | null> {
  const found = await files.get(key);
  if (found === null) return null;
  const about = { mimeType, size: bytes };
  const read = parseWebStream(found.content as never, about, { skipCovers: true, duration: true });
  try {
    const duration = (await withTimeout(read, PATIENCE_MS))?.format.duration;
    return duration !== undefined && Number.isFinite(duration) && duration > 0 ? duration : null;
  } catch {
    return null;
  } finally {
    await found.content.cancel().catch(() => undefined);
  }
}
