/** Suggests an address instead of one that does not exist. */
import { changes } from "../text/nearest.ts";

/** Longer paths (in characters) get no suggestion. */
const LONGEST = 300;

/** The path with misspelt segments corrected after one of the routes; undefined if none is similar. */
export function nearestPath(asked: string, routes: Iterable<string>): string | undefined {
  if (asked.length > LONGEST) return undefined;
  const parts = asked.split("/").filter((part) => part !== "");
  let best: { path: string; distance: number } | undefined;
  for (const route of routes) {
    const names = route.split("/").slice(1);
    if (names.length !== parts.length) continue;
    const distances = names.map((name, at) => distance(parts[at]!, name));
    const total = distances.reduce((sum, each) => sum + each, 0);
    if (total >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue;
    best = {
      path: `/${names.map((name, at) => (isPlaceholder(name) ? parts[at] : name)).join("/")}`,
      distance: total,
    };
  }
  return best?.path === asked ? undefined : best?.path;
}

const isPlaceholder = (name: string): boolean => name.startsWith("{");

/** The edit distance; infinite if more than a third of the letters differ. `entity` still matches `entities`. */
function distance(part: string, name: string): number {
  if (isPlaceholder(name)) return 0;
  const letters = changes(part.toLowerCase(), name);
  return letters > Math.ceil(Math.max(part.length, name.length) / 3) ? Number.POSITIVE_INFINITY : letters;
}
