/** Database connections that break in the middle of something. */
import { isUnreachable } from "../src/http/requests.ts";

/**
 * Whether what was thrown outside every promise is only what postgres.js says of a broken connection to nobody: a write
 * in the middle of a transaction, or its own first query, which asks for the types. The transaction, or the query that
 * the connection was for, has failed as well and its caller has been told.
 */
export function isAfterLostConnection(error: unknown): boolean {
  if (error instanceof TypeError) return /[\\/]postgres[\\/](src|cjs)[\\/]/.test(error.stack ?? "");
  return error instanceof Error && "query" in error && isUnreachable(error);
}
