/**
 * Sends requests to a source on the internet without trusting it: only its own host, limited time and length, only JSON.
 * Callers get our own error messages, never text of the source; the log has the reason.
 */

import { readAtMost } from "../bytes.ts";
import type { Log } from "../log.ts";
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import { type Ask, Unreadable } from "./authority.ts";

export type Upstream = {
  /** Its name in messages, for example `GND (lobid.org)`. */
  name: string;
  /** The base URL; from the configuration, never from a request. */
  url: string;
  userAgent: string;
  log: Log;
  /** Milliseconds for a complete answer. */
  patienceMs?: number;
  /** Bytes of an answer; the largest items of Wikidata have about two million. */
  largest?: number;
};

const PATIENCE_MS = 8_000;
const LARGEST = 4 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const NOTHING = [404, 410];

type Reason =
  | "endless"
  | "busy"
  | "error"
  | "other_host"
  | "too_large"
  | "unreadable"
  | "too_slow"
  | "unreachable";

/** Why there is no answer. */
class Failure extends Error {
  override readonly name = "Failure";
  readonly reason: Reason;
  readonly status: number;

  constructor(reason: Reason, status = 0) {
    super(reason);
    this.reason = reason;
    this.status = status;
  }
}

export function upstream(of: Upstream): Ask {
  return async (path, query) => {
    const url = new URL(of.url + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      return await answerOf(of, url);
    } catch (error) {
      throw down(of, error);
    }
  };
}

/** The Problem (502) for any failure of a source. */
export function down({ name, log }: Pick<Upstream, "name" | "log">, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const reason = reasonOf(error);
  // without the URL, which may contain an account
  log.warn("authority source failed", { source: name, reason, cause: causeOf(error) });
  const status = error instanceof Failure ? String(error.status) : "";
  return new Problem("source_down", said(`problem.source.${reason}`, { source: name, status }), {
    cause: error,
  });
}

function reasonOf(error: unknown): Reason {
  if (error instanceof Failure) return error.reason;
  if (error instanceof Unreadable) return "unreadable";
  if (error instanceof Error && error.name === "TimeoutError") return "too_slow";
  return "unreachable";
}

/** The name of a network error, such as ENOTFOUND. */
function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return cause instanceof Error ? cause.name : undefined;
}

async function answerOf(of: Upstream, url: URL): Promise<unknown> {
  const signal = AbortSignal.timeout(of.patienceMs ?? PATIENCE_MS);
  const headers = { Accept: "application/json", "User-Agent": inAscii(of.userAgent) };
  let at = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(at, { headers, signal, redirect: "manual" });
    if (response.ok) return parsed(await readAtMost(response, of.largest ?? LARGEST).catch(tooLarge));
    response.body?.cancel().catch(() => undefined);
    if (NOTHING.includes(response.status)) return null;
    at = nextOf(response, at);
  }
  throw new Failure("endless");
}

/** The target of a redirect. It must be on the same host, and not lead from https to http. */
function nextOf(response: Response, from: URL): URL {
  const { status } = response;
  if (status === 429) throw new Failure("busy");
  const location = response.headers.get("Location");
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, from)) {
    throw new Failure("error", status);
  }
  const next = new URL(location, from);
  if (next.host !== from.host) throw new Failure("other_host");
  next.protocol = from.protocol;
  return next;
}

const tooLarge = (cause: unknown): never => {
  if (cause instanceof RangeError) throw new Failure("too_large");
  throw cause;
};

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Unreadable("the answer is not JSON", { cause });
  }
}

/** Headers allow only these characters, and our own address may have an umlaut. */
function inAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
