/**
 * Compiles the regular expressions of a mapping for RE2, whose time grows only linearly with the length of the value. Mappings use
 * the syntax of JavaScript. Parts that RE2 understands differently are rewritten.
 */

import { RE2JS } from "re2js";
import { type Faulty, faulty } from "./faulty.ts";

const MAX_PATTERN = 500;
/** Most parts of a pattern. `a{3}` counts as three. */
const MOST_PARTS = 1_000;

/** A compiled pattern. `cost`: most engine steps per character of the value. */
export type Extraction = {
  /** The wanted group of the first match. */
  find(value: string): string | undefined;
  /** All matches. The search for each may read the rest of the value. */
  all(value: string): Iterable<{ from: number; to: number; group(n: number): string }>;
  groups: number;
  cost: number;
};

/** The characters of `\s` and `\S` in JavaScript. */
const BLANK =
  "\\t-\\r \\xA0\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";
const NO_BLANK =
  "\\x00-\\x08\\x0E-\\x1F!-\\x9F\\xA1-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}" +
  "\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}";

/** Compiles a pattern, or says what is wrong with it. `group`: the wanted group. */
export function compilePattern(
  pattern: string,
  group?: number | string,
  caseSensitive = true,
): Extraction | Faulty {
  if (pattern.length > MAX_PATTERN) return faulty("fault.too_long", { most: MAX_PATTERN });
  const read = readPattern(pattern);
  if ("fault" in read) return read;
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  try {
    const main = RE2JS.compile(read.main, flags);
    const guards = read.guards.map(({ source, wanted }) => ({ re: RE2JS.compile(source, flags), wanted }));
    const groups = main.groupCount();
    const wanted = group ?? (groups > 0 ? 1 : 0);
    if (typeof wanted === "number" && wanted > groups)
      return faulty("fault.pattern.no_group", { count: groups, group: String(wanted) });
    if (typeof wanted === "string" && !Object.hasOwn(main.namedGroups(), wanted))
      return faulty("fault.pattern.no_named_group", { group: wanted });
    const engines = [main, ...guards.map(({ re }) => re)];
    const passes = (value: string) =>
      guards.every((guard) => guard.re.matcher(value).find() === guard.wanted);
    return {
      groups,
      cost: engines.reduce((sum, re) => sum + re.programSize() * (1 + re.groupCount()), 0),
      find(value) {
        if (!passes(value)) return undefined;
        const found = main.matcher(value);
        return found.find() ? (found.group(wanted) ?? undefined) : undefined;
      },
      *all(value) {
        if (!passes(value)) return;
        const found = main.matcher(value);
        while (found.find())
          yield {
            from: found.start(),
            to: found.end(),
            group: (n) => (n <= groups ? found.group(n) : null) ?? "",
          };
      },
    };
  } catch (error) {
    return faulty("fault.pattern.invalid", {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

type Read = { main: string; guards: { source: string; wanted: boolean }[] };

/** Parts of a pattern: an escape, a class, the opening of a group, a repetition, any other character. */
const PARTS =
  /\\(?:[pP]\{[^}]*\}|[\s\S])|\[\^?(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

/**
 * Rewrites a pattern for RE2, which has no lookahead. A lookahead at the beginning (`^(?!unknown)…`) becomes a separate pattern in
 * `guards` that the value must match (`wanted`) or must not match.
 */
function readPattern(pattern: string): Read | Faulty {
  let main = "";
  const guards: Read["guards"] = [];
  let guard: { source: string; wanted: boolean } | null = null;
  let choices = false;
  /** The size so far of the whole pattern and of each open group. `last`: the size of the part that a repetition would repeat. */
  const sizes = [0];
  let last = 0;
  if (/(?<!\\)(?:\\\\)*\\k</.test(pattern)) return faulty("fault.pattern.back_reference", { part: "\\k<…>" });
  for (const [part] of RE2JS.translateRegExp(pattern).matchAll(PARTS)) {
    const depth = sizes.length;
    if (/^\\[1-9]/.test(part)) return faulty("fault.pattern.back_reference", { part });
    if (part.startsWith("(?<=") || part.startsWith("(?<!"))
      return faulty("fault.pattern.lookbehind", { part });
    if (part === "(?=" || part === "(?!") {
      if (main !== "^" || guard) return faulty("fault.pattern.lookahead", { part });
      guard = { source: "^(?:", wanted: part === "(?=" };
    } else if (part.startsWith("(") && part !== "(?:" && guard) {
      return faulty("fault.pattern.group_in_lookahead");
    } else if (part === ")" && depth === 2 && guard) {
      guards.push({ ...guard, source: `${guard.source})` });
      guard = null;
    } else {
      const anew = rewritten(part);
      if (guard) guard.source += anew;
      else main += anew;
      if (part === "|" && depth === 1) choices = true;
    }
    if (part.startsWith("(")) sizes.push(1);
    else if (part === ")" && depth > 1) {
      last = sizes.pop()!;
      sizes[sizes.length - 1]! += last;
    } else {
      const most = /^\{(\d+)(?:,(\d*))?\}$/.exec(part);
      const more = most ? Math.max(Number(most[1]), Number(most[2] ?? 0), 1) * last - last : 1;
      sizes[sizes.length - 1]! += more;
      last = most ? last + more : 1;
    }
  }
  if (guard) return faulty("fault.pattern.open_lookahead");
  const size = sizes.reduce((sum, each) => sum + each);
  if (size > MOST_PARTS) return faulty("fault.pattern.many_parts", { count: size, most: MOST_PARTS });
  if (guards.length > 0 && choices) return faulty("fault.pattern.alternatives");
  return { main, guards };
}

function rewritten(part: string): string {
  if (part === ".") return "[^\\n\\r\\x{2028}\\x{2029}]";
  if (part === "\\s") return `[${BLANK}]`;
  if (part === "\\S") return `[^${BLANK}]`;
  if (part.startsWith("["))
    return part.replace(/\\([\s\S])/gu, (found, char) =>
      char === "s" ? BLANK : char === "S" ? NO_BLANK : found,
    );
  return part.replace(/^(\\[pP]\{)(?:Script|sc|General_Category|gc)=/, "$1");
}
