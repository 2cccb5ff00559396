/** Database connections that break in the middle of something. */

/**
 * postgres.js throws outside every promise when a connection breaks in the middle of a transaction. The transaction has
 * failed by then and its caller has been told; there is nothing more to do about this one.
 */
export function isAfterLostConnection(error: unknown): boolean {
  return error instanceof TypeError && /[\\/]postgres[\\/](src|cjs)[\\/]/.test(error.stack ?? "");
}
