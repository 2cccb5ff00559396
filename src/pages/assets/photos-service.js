/** Reads files of photographs, asks the service about them, and sends them (`photos.js`). */
import { meta } from "./service.js";

/** Bytes of a file whose checksum is made here, which needs it in memory. */
const LARGEST_SUMMED = 200_000_000;
/** Statuses after which it is worth trying again. */
const PASSING = [429, 502, 503, 504];

/** `isForAll`: the next file would be refused, too. */
class Refused extends Error {
  constructor(detail, isForAll = false) {
    super(detail);
    this.isForAll = isForAll;
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The body of a request that asks which file belongs to which object. */
export const asked = (files) => JSON.stringify({ dry_run: true, files });

/** What the service says of these files. It is asked until it answers; `lost` is called when it does not. */
export const ask = async (sent, { words, lost, signal }) => {
  const headers = { Accept: "application/json", "X-CSRF-Token": meta("csrf") };
  if (typeof sent === "string") headers["Content-Type"] = "application/json";
  for (;;) {
    const request = { method: "POST", body: sent, headers, signal };
    const answer = await fetch(`${meta("base")}/v1/media/batch`, request).catch(() => null);
    const said = await answer?.json().catch(() => null);
    signal?.throwIfAborted();
    if (answer?.ok && said) return said.items;
    if (answer && !answer.ok && !PASSING.includes(answer.status))
      throw new Refused(
        said?.errors?.[0]?.detail ?? said?.detail ?? answer.statusText,
        [401, 403].includes(answer.status),
      );
    // a file that is gone looks like a lost connection
    const isGone = sent instanceof FormData && (await isUnreadable(sent.get("file")));
    if (isGone) throw new Refused(words.unreadable);
    lost();
    await pause(Number(answer?.headers.get("Retry-After")) || 3);
    signal?.throwIfAborted();
  }
};

const isUnreadable = (file) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );

/**
 * SHA-256; null if the file cannot be read. Browsers make it on encrypted pages only; without it, the service tells what it has when
 * the file arrives.
 */
export const sumOf = async (file) => {
  if (!globalThis.crypto.subtle || file.size > LARGEST_SUMMED) return undefined;
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** All files of something that was dropped, which may be a folder. */
export const filesIn = async (entry) => {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = entry.createReader();
  const found = [];
  // it gives a hundred at a time, and none at the end
  for (;;) {
    const some = await new Promise((...ways) => reader.readEntries(...ways));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesIn(each)));
  }
};
