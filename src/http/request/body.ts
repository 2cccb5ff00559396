/** Reads request bodies: limited, strictly UTF-8, strictly JSON. */

import { joinBytes, utf8Text } from "../../bytes.ts";
import { anyOf, type Said, said } from "../../messages/said.ts";
import { invalidAt, jsonPointer, Problem } from "../../problem.ts";
import { withTimeout } from "../../with-timeout.ts";
import { demandSingleKeys } from "./json-keys.ts";
import { readJson } from "./json-text.ts";

/** The most bytes of a JSON body. */
export const LARGEST_JSON = 2 * 1024 * 1024;
/** The type of RFC 7396, and the one that everybody sends. */
export const PATCH_TYPES = ["application/json", "application/merge-patch+json"];

const DEEPEST = 40;
/** The most values in a JSON body, at any depth. Checking one takes microseconds, and longer if it has a fault. */
const MOST_VALUES = 25_000;

/** The most milliseconds for a whole body: enough for 2 MiB over a line of 140 kbit/s. */
const LONGEST_READ = 120_000;

/** At least `bytes` of a body must arrive in `ms` of waiting. */
export type Pace = { bytes: number; ms: number };
const SLOWEST: Pace = { bytes: 6_000, ms: 60_000 };

export async function readBytes(
  request: Request,
  limit: number,
  longest = LONGEST_READ,
): Promise<Uint8Array> {
  demandPlain(request);
  const announced = Number(request.headers.get("Content-Length") ?? 0);
  if (announced > limit) throw tooLarge(limit);
  if (!request.body) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunksOf(request.body, { bytes: Number.POSITIVE_INFINITY, ms: longest })) {
    size += part.byteLength;
    if (size > limit) throw tooLarge(limit);
    parts.push(part);
  }
  return joinBytes(parts);
}

/** The chunks of a body. Throws a 400 if it breaks off, and a 408 if it is slower than `slowest`. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  slowest = SLOWEST,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let bytes = 0;
  // milliseconds of waiting for these bytes; the time that the consumer needs does not count
  let waited = 0;
  try {
    for (;;) {
      const begun = performance.now();
      const chunk = reader.read().catch((cause) => {
        throw new Problem("malformed", said("problem.body.broken_off"), { cause });
      });
      const next = await withTimeout(chunk, Math.max(0, slowest.ms - waited));
      if (next === null) throw tooSlow(bytes, slowest);
      if (next.done) return;
      waited += performance.now() - begun;
      bytes += next.value.byteLength;
      if (bytes >= slowest.bytes) bytes = waited = 0;
      yield next.value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Closes the connection; otherwise the server would still wait for the rest. */
function tooSlow(bytes: number, { bytes: least, ms }: Pace): Problem {
  const seconds = Math.ceil(ms / 1000);
  const told = Number.isFinite(least)
    ? said("problem.body.too_slow", { count: bytes, seconds, least })
    : said("problem.body.too_late", { seconds });
  return new Problem("too_slow", told, { headers: { Connection: "close" } });
}

/** 415 for a compressed body, whose real size is unknown (RFC 9110 §8.4). */
export function demandPlain(request: Request): void {
  const encoding = request.headers.get("Content-Encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return;
  throw new Problem("unsupported_type", said("problem.body.encoded", { encoding: encoding.slice(0, 40) }), {
    headers: { "Accept-Encoding": "identity" },
  });
}

export const sizeOf = (bytes: number): Said =>
  bytes >= 1024 * 1024
    ? said("size.mib", { count: Math.floor(bytes / 1024 / 1024) })
    : said("size.bytes", { count: bytes });

export function tooLarge(limit: number): Problem {
  return new Problem("too_large", said("problem.body.too_large", { size: sizeOf(limit) }));
}

/** 400 unless the body is UTF-8. */
export function bodyText(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === null) throw new Problem("malformed", said("problem.body.not_utf8"));
  return text;
}

export function parseJson(bytes: Uint8Array): unknown {
  const text = bodyText(bytes);
  if (text.trim() === "") throw new Problem("malformed", said("problem.body.empty"));
  demandFew(bytes);
  const value = readJson(text, (place) => new Problem("malformed", said("problem.body.not_json", place)));
  demandSingleKeys(text);
  const refused = prototypeKey(value);
  if (refused) throw invalidAt(jsonPointer(...refused), said("fault.unknown"));
  return value;
}

/**
 * Throws if JSON is nested too deeply or has too many values. Runs before parsing, since parsing and checking would block the
 * process. Counts brackets, which begin a first value, and commas, which begin the next one. Text that is not JSON passes, or is
 * refused for its brackets and commas.
 */
function demandFew(bytes: Uint8Array): void {
  let values = 0;
  let levels = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === BRACKET || byte === BRACE) {
      values += 1;
      levels += 1;
    } else if (byte === BRACKET_END || byte === BRACE_END) levels -= 1;
    if (levels > DEEPEST) throw new Problem("malformed", said("problem.body.too_deep", { levels: DEEPEST }));
    if (values > MOST_VALUES)
      throw new Problem("too_large", said("problem.body.too_many_values", { most: MOST_VALUES }));
  }
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quotation mark that ends the string, which begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The path to a key `__proto__`, which schemas silently drop because it has a special meaning in JavaScript. */
function prototypeKey(value: unknown): string[] | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const below = key === "__proto__" ? [] : prototypeKey(inner);
    if (below) return [key, ...below];
  }
  return null;
}

/** 415 unless the content type is one of these (parameters aside). */
export function demandContentType(header: string | undefined, allowed: readonly string[]): void {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!allowed.includes(type)) {
    const types = anyOf(allowed);
    throw new Problem(
      "unsupported_type",
      type === ""
        ? said("problem.body.no_type", { types })
        : said("problem.body.wrong_type", { types, given: type.slice(0, 100) }),
      { headers: { Accept: allowed.join(", ") } },
    );
  }
}
