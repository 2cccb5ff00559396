/** Why a dependency is not healthy, in words that anybody may read: without hosts, users or paths. */

import { type Said, said, say } from "../messages/said.ts";
import { ENGLISH, type MessageKey } from "../messages/translate.ts";

/** A failure with words of our own, which may be shown. */
export class UnhealthyError extends Error {
  readonly told: Said;

  constructor(told: Said) {
    super(say(ENGLISH, told));
    this.told = told;
  }
}

const WORDS: Record<string, MessageKey> = {
  ECONNREFUSED: "health.refused",
  ENOTFOUND: "health.unknown_host",
  EAI_AGAIN: "health.unknown_host",
  ETIMEDOUT: "health.unreachable",
  CONNECT_TIMEOUT: "health.unreachable",
  EHOSTUNREACH: "health.unreachable",
  UNREACHABLE: "health.unreachable",
  ECONNRESET: "health.lost",
  UND_ERR_SOCKET: "health.lost",
  EPIPE: "health.lost",
  CONNECTION_CLOSED: "health.lost",
  CONNECTION_DESTROYED: "health.lost",
  CONNECTION_ENDED: "health.closed",
  "28P01": "health.credentials",
  "28000": "health.credentials",
  "3D000": "health.no_database",
  "42P01": "health.no_tables",
  "53300": "health.no_connection_left",
  "25006": "health.read_only",
  "53100": "health.full",
  "57P01": "health.stopping",
  "57P03": "health.starting",
  NO_BUCKET: "health.no_bucket",
  OTHER_REGION: "health.other_region",
  REFUSES_KEYS: "health.credentials",
  NOT_TRUSTED: "health.not_trusted",
  EACCES: "health.not_writable",
  EPERM: "health.not_writable",
  EROFS: "health.not_writable",
  ENOENT: "health.no_directory",
  ENOTDIR: "health.no_directory",
  ENOSPC: "health.full",
  EDQUOT: "health.full",
};

export function reasonOf(error: unknown): Said {
  if (error instanceof UnhealthyError) return error.told;
  if (error instanceof Error && error.name === "TimeoutError") return said("health.too_slow");
  const code = codeOf(error);
  if (code === null) return said("health.failed");
  const key = WORDS[code];
  return key ? said(key) : said("health.failed_with", { code });
}

/** Codes name kinds of errors and never contain data; `fetch` hides its code in the cause. */
function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error && typeof error.code === "string" && /^[A-Z0-9_]{2,40}$/.test(error.code)) {
    return error.code;
  }
  return "cause" in error ? codeOf(error.cause) : null;
}
