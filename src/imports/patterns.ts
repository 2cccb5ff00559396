/** The regular expressions of a mapping: compiled, and refused when they could take for ever on one cell. */

export const MAX_PATTERN = 500;

/** Longest value that a pattern is tried on, by how many of its repeats (`.*`) match about anything: each is a power more. */
const LONGEST = [10_000, 10_000, 10_000, 1_000, 200];

/** `longest`: the longest value that the expression is to be tried on. */
export type Extraction = { expression: RegExp; group: number | string; longest: number };

/**
 * The compiled pattern with the group that it gives, or a sentence saying what is wrong. Unicode mode is tried first
 * (`\p{Lu}`); patterns with escapes that it forbids are read without it.
 */
export function compilePattern(
  pattern: string,
  group?: number | string,
  caseSensitive = true,
): Extraction | string {
  if (pattern.length > MAX_PATTERN) return `is longer than ${MAX_PATTERN} characters`;
  const flags = caseSensitive ? "" : "i";
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, `u${flags}`);
  } catch {
    try {
      expression = new RegExp(pattern, flags);
    } catch (error) {
      return `is not a regular expression: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  if (repeatsRepeat(pattern)) {
    return "repeats a group that itself holds a repeat or alternatives, such as (a+)+ or (a|b)*, which can take for ever; use a character class, such as [ab]*";
  }
  const longest = LONGEST[openRepeats(pattern)];
  if (longest === undefined)
    return `has more than ${LONGEST.length - 1} repeats such as .* that match about anything`;
  const empty = new RegExp(`${pattern}|`, expression.flags).exec("");
  const groups = (empty?.length ?? 1) - 1;
  const wanted = group ?? (groups > 0 ? 1 : 0);
  if (typeof wanted === "number" ? wanted > groups : !Object.hasOwn(empty?.groups ?? {}, wanted)) {
    return typeof wanted === "number"
      ? `has ${groups} groups, so there is no group ${wanted}`
      : `has no group named "${wanted}"`;
  }
  return { expression, group: wanted, longest };
}

/** Repeats, unlimited or by the hundred, of a dot, a negated class or a group. Those of a narrow class (`\d+\s*`) seldom overlap. */
function openRepeats(pattern: string): number {
  const atoms = pattern.matchAll(/(\\.|\[(?:\\.|[^\]\\])*\]|.)((?:[*+]|\{\d+,(?:\d{3,})?\})?)/gs);
  return [...atoms].filter(
    ([, atom, repeat]) => repeat !== "" && /^(?:\.|\\[DSW]|\[\^|\[\\s\\S|\))/.test(atom!),
  ).length;
}

/** A static check, stricter than it need be: it finds the patterns that backtrack exponentially. */
function repeatsRepeat(pattern: string): boolean {
  const open: boolean[] = [];
  let varies = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!;
    if (char === "\\") {
      i++;
    } else if (char === "[") {
      i++;
      while (i < pattern.length && pattern[i] !== "]") i += pattern[i] === "\\" ? 2 : 1;
    } else if (char === "(") {
      open.push(varies);
      varies = false;
      if (pattern[i + 1] === "?") i++;
    } else if (char === ")") {
      const repeat = /^(?:[*+]|\{\d+(,\d*)?\})/.exec(pattern.slice(i + 1, i + 12))?.[0];
      if (repeat !== undefined && varies && repeat !== "{1}" && repeat !== "{0,1}") return true;
      varies = varies || (open.pop() ?? false);
    } else if (char === "|" || char === "*" || char === "+" || char === "?") {
      varies = true;
    } else if (char === "{" && /^\{\d+,\d*\}/.test(pattern.slice(i, i + 12))) {
      varies = true;
    }
  }
  return false;
}
