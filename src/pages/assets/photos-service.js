/** Reads photographs, asks the service about them, and sends them (`photos.js`). */
import { meta } from "./service.js";

/** The most bytes of a file for a checksum, which needs the whole file in memory. */
const LARGEST_SUMMED = 200_000_000;
/** Statuses that may be temporary. */
const PASSING = [429, 502, 503, 504];

/** `isForAll`: the other files would be refused, too. */
class Refused extends Error {
  constructor(detail, isForAll = false) {
    super(detail);
    this.isForAll = isForAll;
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The body of a request that asks which file belongs to which object. */
export const asked = (files) => JSON.stringify({ dry_run: true, files });

/** Asks the service about these files until it answers. Calls `lost` if it does not. */
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
    // a deleted file looks like a lost connection
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
 * SHA-256; null if the file cannot be read. Undefined for large files and on unencrypted pages, where browsers cannot make it; then
 * the service recognises the file when it arrives.
 */
export const sumOf = async (file) => {
  if (!globalThis.crypto.subtle || file.size > LARGEST_SUMMED) return undefined;
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** All files in a dropped file or folder. */
export const filesIn = async (entry) => {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = entry.createReader();
  const found = [];
  // returns at most a hundred at a time, and none at the end
  for (;;) {
    const some = await new Promise((...ways) => reader.readEntries(...ways));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesIn(each)));
  }
};
