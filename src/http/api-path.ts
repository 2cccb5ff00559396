/**
 * Addresses for programs, and files that pages are made of, which are the same for everybody. All others are pages:
 * browsers get their problems as pages, and their cookie says who asks.
 */
const API =
  /^\/(?:v1|portal\/v1|api|iiif|oai|sparql\/rebuild|openapi\.json|metrics|health|assets|logo|robots\.txt|llms\.txt)(?:\/|$)/;

/** @param path with or without the prefix /api */
export function isApiPath(path: string): boolean {
  return API.test(path);
}
