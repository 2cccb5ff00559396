/** Recognises errors of broken database connections that no promise reports. */
import { isUnreachable } from "../../src/http/requests.ts";

/**
 * Whether an uncaught error is postgres.js reporting a broken connection outside every promise: during a write in a
 * transaction, or in its own first query for the types. The caller gets its own error, because its query fails too.
 */
export function isAfterLostConnection(error: unknown): boolean {
  if (error instanceof TypeError) return /[\\/]postgres[\\/](src|cjs)[\\/]/.test(error.stack ?? "");
  return error instanceof Error && "query" in error && isUnreachable(error);
}
