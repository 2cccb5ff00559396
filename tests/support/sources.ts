/** The project's files as text, and their imports, for the house test. */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** `path` is relative to the project: `src/app.ts`. */
export type Source = { path: string; text: string };

/**
 * `type`: removed before it runs. `value`: loaded with the file. `later`: `import()`, loaded when it is called. `to`
 * is a path of the project, the name of a package, or `node:…`.
 */
export type Import = { from: string; to: string; kind: "type" | "value" | "later" };

/**
 * Every file under these directories. Throws when a directory has none, because a check of nothing would always pass.
 */
export function filesUnder(...directories: string[]): string[] {
  return directories.flatMap((directory) => {
    const entries = readdirSync(`${ROOT}${directory}`, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(posix.relative(ROOT, entry.parentPath), entry.name));
    if (files.length === 0)
      throw new Error(`${directory}/ has no files: the house test is looking elsewhere`);
    return files.sort();
  });
}

export function sourcesUnder(...directories: string[]): Source[] {
  return filesUnder(...directories)
    .filter((path) => /\.(ts|mjs)$/.test(path))
    .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

/**
 * Imports at the beginning of a line, and `import()` anywhere; the house test asks a bundler whether any was missed.
 */
const STATIC = /^(?:import|export)\s+(?<type>type\s)?[^"';=()]*?\bfrom\s+"(?<to>[^"]+)"/gm;
const BARE = /^import\s+"(?<to>[^"]+)"/gm;
const LATER = /\bimport\(\s*"(?<to>[^"]+)"\s*\)/g;

export function importsOf({ path, text }: Source): Import[] {
  const found = (pattern: RegExp, kind: Import["kind"]): Import[] =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      from: path,
      to: target(path, groups!.to!),
      kind: groups!.type ? "type" : kind,
    }));
  return [...found(STATIC, "value"), ...found(BARE, "value"), ...found(LATER, "later")];
}

function target(from: string, specifier: string): string {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  if (specifier.startsWith("node:")) return specifier;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Each circle of files that import one another, including types, once, from its first file by name. */
export function circles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Map<string, string[]>();
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) {
      const circle = way.slice(at);
      const first = circle.indexOf([...circle].sort()[0]!);
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.set(turned.join(" "), turned);
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of [...next.keys()].sort()) walk(file, []);
  return [...found.values()];
}
