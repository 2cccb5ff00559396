/**
 * Addresses for programs, and the static files of pages. All other addresses are pages, where browsers get errors as pages and
 * the cookie identifies the caller.
 */
const API =
  /^\/(?:v1|portal\/v1|api|iiif|oai|sparql\/rebuild|openapi\.json|metrics|health|assets|logo|robots\.txt|llms\.txt)(?:\/|$)/;

/** @param path with or without the prefix /api */
export function isApiPath(path: string): boolean {
  return API.test(path);
}
