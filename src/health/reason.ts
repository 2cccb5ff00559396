/** Why a dependency is not healthy, in words that anybody may read: without hosts, users or paths. */

/** A failure with a message of our own, which may be shown. */
export class UnhealthyError extends Error {}

const WORDS: Record<string, string> = {
  ECONNREFUSED: "refuses connections",
  ENOTFOUND: "its host name is unknown",
  EAI_AGAIN: "its host name is unknown",
  ETIMEDOUT: "cannot be reached",
  CONNECT_TIMEOUT: "cannot be reached",
  EHOSTUNREACH: "cannot be reached",
  UNREACHABLE: "cannot be reached",
  ECONNRESET: "the connection was lost",
  UND_ERR_SOCKET: "the connection was lost",
  EPIPE: "the connection was lost",
  CONNECTION_CLOSED: "the connection was lost",
  CONNECTION_DESTROYED: "the connection was lost",
  CONNECTION_ENDED: "the connection is closed",
  "28P01": "refuses the credentials",
  "28000": "refuses the credentials",
  "3D000": "there is no such database",
  "42P01": "tables are missing: run the migration",
  "53300": "has no connection to spare",
  "25006": "is read-only",
  "53100": "no space is left",
  "57P01": "is shutting down",
  "57P03": "is starting",
  NO_BUCKET: "the bucket does not exist",
  OTHER_REGION: "the bucket is in another region",
  REFUSES_KEYS: "refuses the credentials",
  NOT_TRUSTED: "its certificate is not trusted",
  EACCES: "the directory cannot be written",
  EPERM: "the directory cannot be written",
  EROFS: "the directory cannot be written",
  ENOENT: "the directory is missing",
  ENOTDIR: "the directory is missing",
  ENOSPC: "no space is left",
  EDQUOT: "no space is left",
};

export function reasonOf(error: unknown): string {
  if (error instanceof UnhealthyError) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  const code = codeOf(error);
  if (code === null) return "failed; the log says why";
  return WORDS[code] ?? `failed (${code})`;
}

/** Codes name kinds of errors and never contain data; `fetch` hides its code in the cause. */
function codeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  if ("code" in error && typeof error.code === "string" && /^[A-Z0-9_]{2,40}$/.test(error.code)) {
    return error.code;
  }
  return "cause" in error ? codeOf(error.cause) : null;
}
