/** The operation ids of the API description. Client generators make method names from them. */

import { wordSet } from "../text.ts";

/** If the address alone does not say what is done. `*` is the first segment after /v1, in the name `<one>` or `<many>`. */
const NAMES: Record<string, string> = {
  "post /v1/auth/token": "request_token",
  "post /v1/auth/login": "sign_in",
  "post /v1/auth/refresh": "refresh_token",
  "post /v1/auth/logout": "sign_out",
  "post /v1/auth/logout-everywhere": "sign_out_everywhere",
  "get /v1/auth/me": "get_own_account",
  "patch /v1/auth/me": "change_own_account",
  "post /v1/auth/password": "change_own_password",
  "post /v1/auth/password-reset": "request_password_reset",
  "post /v1/auth/password-reset/confirm": "confirm_password_reset",
  "post /v1/schemas/{type}": "add_field",
  "get /v1/schemas/{type}/{field}": "get_field",
  "put /v1/schemas/{type}/{field}": "replace_field",
  "patch /v1/schemas/{type}/{field}": "change_field",
  "delete /v1/schemas/{type}/{field}": "delete_field",
  "get /v1/subtypes/{type}": "list_subtypes",
  "get /v1/subtypes/{type}/{name}": "get_subtype",
  "put /v1/subtypes/{type}/{name}": "replace_subtype",
  "delete /v1/subtypes/{type}/{name}": "delete_subtype",
  "get /v1/settings": "get_settings",
  "put /v1/settings/logo": "set_logo",
  "delete /v1/settings/logo": "remove_logo",
  "get /logo/{file}": "get_logo",
  "get /metrics": "get_metrics",
  "get /v1/search": "search",
  "get /v1/search/suggest": "suggest",
  "post /v1/search/reindex": "reindex",
  "post /v1/search/reindex/{type}": "reindex_type",
  "get /portal/v1/search": "search_portal",
  "get /portal/v1/search/advanced": "search_portal_by_field",
  "get /portal/v1/search/suggest": "suggest_portal",
  "get /portal/v1/search/export": "export_portal_search",
  "get /iiif/presentation/3/search": "search_manifests",
  "get /v1/authorities/{source}": "search_authority",
  "get /v1/authorities/{source}/{id}": "get_authority_record",
  "post /v1/imports": "start_import",
  "post /v1/media/batch": "add_media",
  "post /v1/imports/{id}/undo": "undo_import",
  "get /v1/jobs/{id}/events": "follow_job",
  "get /v1/reports/aggregator": "check_for_aggregators",
  "get /contexts/v1.json": "get_jsonld_context",
  "post /sparql/rebuild": "rebuild_triple_store",
  "get /sparql": "query_triple_store",
  "post /sparql": "query_triple_store_by_post",
  "get /oai": "harvest",
  "post /oai": "harvest_by_post",
  "get /ark:/{naan}/{name}": "resolve_ark",
  "get /iiif/3/{identifier}": "find_image",
  "get /iiif/3/{identifier}/info.json": "get_image_info",
  "get /iiif/3/{identifier}/{region}/{size}/{rotation}/{quality}": "get_image",
  "get /v1/*/trash": "list_trashed_<many>",
  "get /v1/*/export": "export_<many>",
  "post /v1/*/bulk": "write_<many>",
  "post /v1/*/{id}/status": "set_<one>_status",
  "get /v1/*/{id}/export": "export_<one>",
  "get /v1/*/{id}/history": "list_<one>_versions",
  "get /v1/*/{id}/history/{version}": "get_<one>_version",
  "post /v1/*/{id}/history/{version}/restore": "restore_<one>_version",
  "post /v1/*/{id}/ark": "mint_<one>_ark",
  "post /v1/*/duplicates/dismissed": "dismiss_<one>_duplicate",
  "delete /v1/*/duplicates/dismissed": "offer_<one>_duplicate",
  "post /v1/vocabularies/{name}/terms/duplicates/dismissed": "dismiss_vocabulary_term_duplicate",
  "delete /v1/vocabularies/{name}/terms/duplicates/dismissed": "offer_vocabulary_term_duplicate",
  "get /v1/*/{id}/media/trash": "list_trashed_<one>_media",
};

/** Segments that name an action, not a thing. */
const ACTIONS = wordSet("publish purge restore merge unmerge move reindex rebuild cancel retry");

const CHANGES: Record<string, string> = { put: "replace", patch: "change", delete: "delete" };

/**
 * The operation id of an address and method: `list_objects`, `get_object`, `create_object`, `publish_object`,
 * `list_object_relations`. It depends on nothing else and is therefore stable.
 */
export function operationId(method: string, path: string): string {
  const [, first = ""] = /^\/v1\/([^/]+)/.exec(path) ?? [];
  const name = NAMES[`${method} ${path}`] ?? NAMES[`${method} ${path.replace(first, "*")}`];
  if (name) return name.replace("<one>", singular(snake(first))).replace("<many>", snake(first));
  const segments = path.split("/").filter((segment) => !["", "api", "v1"].includes(segment));
  const last = segments.at(-1) ?? "";
  const action = method === "post" && ACTIONS.has(last) ? last : null;
  if (action) segments.pop();
  const nouns = nounsOf(segments);
  if (action) return [action, ...nouns].join("_");
  if (method === "get") return [isPlural(last) ? "list" : "get", ...nouns].join("_");
  if (method !== "post") return [CHANGES[method] ?? method, ...nouns].join("_");
  return isPlural(last)
    ? ["create", ...nouns.slice(0, -1), singular(snake(last))].join("_")
    : ["post", ...nouns].join("_");
}

/** `objects/{id}/relations` becomes `object relations`; the second of two adjacent parameters adds its own name. */
function nounsOf(segments: readonly string[]): string[] {
  return segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    if (segment.startsWith("{")) return before?.startsWith("{") ? [snake(segment.slice(1, -1))] : [];
    const one = segments[index + 1]?.startsWith("{") ?? false;
    return [one ? singular(snake(segment)) : snake(segment)];
  });
}

const isPlural = (segment: string): boolean =>
  segment === "media" || (/[a-z]s$/.test(segment) && !/(?:ss|us|status|docs)$/.test(segment));

export function singular(word: string): string {
  if (word === "media") return "medium";
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return isPlural(word) ? word.slice(0, -1) : word;
}

const snake = (segment: string): string => segment.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
