/** The names of operations in the API description, from which client generators make their methods. */

/** Segments that say what is done rather than to what. */
const ACTIONS = new Set(["publish", "restore", "reindex", "rebuild", "cancel", "retry"]);

const CHANGES: Record<string, string> = { put: "replace", patch: "change", delete: "delete" };

/**
 * One name for each address and method: `list_objects`, `get_object`, `create_object`, `publish_object`,
 * `list_object_relations`. Stable, because it depends on nothing else.
 */
export function operationId(method: string, path: string): string {
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

/** `objects/{id}/relations` is `object relations`; a second parameter in a row names itself. */
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

function singular(word: string): string {
  if (word === "media") return "medium";
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return isPlural(word) ? word.slice(0, -1) : word;
}

const snake = (segment: string): string => segment.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
