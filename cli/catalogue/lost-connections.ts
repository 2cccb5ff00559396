/** Recognises errors of broken database connections that no promise reports. */
import { isUnreachable } from "../../src/http/requests.ts";

/**
 * Whether an uncaught error is postgres.js reporting a broken connection outside every promise: a write in the middle
 * of a transaction, or its own first query for the types. The transaction or query of that connection fails as well,
 * and its caller gets that error.
 */
export function isAfterLostConnection(error: unknown): boolean {
  if (error instanceof TypeError) return /[\\/]postgres[\\/](src|cjs)[\\/]/.test(error.stack ?? "");
  return error instanceof Error && "query" in error && isUnreachable(error);
}
