/**
 * Typesense's `filter_by` as its documentation describes it: comparisons, lists, prefixes, nested objects, `&&`, `||`
 * and parentheses. Refuses what the adapter has no reason to send, above all quoted values.
 */

export type Stored = Record<string, unknown>;
export type Field = {
  name: string;
  type: string;
  facet: boolean;
  optional: boolean;
  sort: boolean;
  stem: boolean;
  locale?: string;
};
export type Predicate = (document: Stored) => boolean;

/** The error that the server would answer. */
export class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The number of operators that the server accepts unless it is started with `--filter-by-max-ops`. */
const MOST_OPERATORS = 100;
const TOKEN =
  /\s*(\(|\)|\}|&&|\|\||[a-z]\w*\.\{|[a-z][\w.]*\s*:\s*(?:!=|=|!|>=|<=|>|<)?\s*(?:\[[^\]]*\]|[^()&|{}[\]`,]+))/iy;
const COMPARISON = /^([a-z][\w.]*)\s*:\s*(!=|=|!|>=|<=|>|<)?\s*(.+)$/i;
/** One or several words of letters and digits, perhaps unfinished; or an identifier. */
const VALUE = /^[\p{L}\p{N}_-]+( [\p{L}\p{N}]+)*\*?$/u;

export function parseFilter(text: string, fields: ReadonlyMap<string, Field>): Predicate {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Refused(400, `Could not parse the filter query: ${text.slice(from, from + 80)}`);
    tokens.push(found[1]!.trim());
  }
  if (tokens.filter((token) => token === "&&" || token === "||").length > MOST_OPERATORS)
    throw new Refused(400, "`filter_by` has too many operations.");
  let at = 0;

  /** `&&` and `||` have the same precedence, from left to right. */
  function expression(within: string): Predicate {
    let whole = operand(within);
    while (tokens[at] === "&&" || tokens[at] === "||") {
      const isAnd = tokens[at++] === "&&";
      const [left, right] = [whole, operand(within)];
      whole = isAnd
        ? (document) => left(document) && right(document)
        : (document) => left(document) || right(document);
    }
    return whole;
  }

  function operand(within: string): Predicate {
    const token = tokens[at++] ?? "";
    if (token !== "(" && !token.endsWith(".{")) return comparison(token, within, fields);
    const name = token.slice(0, -2);
    const inner = expression(token === "(" ? within : `${name}.`);
    if (tokens[at++] !== (token === "(" ? ")" : "}"))
      throw new Refused(400, "Could not parse the filter query: unbalanced parentheses.");
    return token === "("
      ? inner
      : (document) => ((document[name] ?? []) as Stored[]).some((object) => inner(object));
  }

  const predicate = expression("");
  if (at !== tokens.length)
    throw new Refused(400, "Could not parse the filter query: unbalanced parentheses.");
  return predicate;
}

function comparison(token: string, within: string, fields: ReadonlyMap<string, Field>): Predicate {
  const [, name, sign = "", operand] = COMPARISON.exec(token) ?? [];
  if (!name || !operand) throw new Refused(400, "Could not parse the filter query.");
  const values = (operand.startsWith("[") ? operand.slice(1, -1).split(",") : [operand]).map((each) =>
    each.trim(),
  );
  for (const value of values)
    if (!VALUE.test(value))
      throw new Refused(400, `not a value that the adapter may send: ${value.slice(0, 80)}`);
  if (name === "id") {
    const ids = new Set<unknown>(values);
    return ({ id }) => ids.has(id) !== (sign === "!=");
  }
  const field = fields.get(within + name);
  if (!field)
    throw new Refused(404, `Could not find a filter field named \`${within}${name}\` in the schema.`);
  const own = (document: Stored) => [document[name] ?? []].flat();
  if (field.type.startsWith("int64")) {
    if (!values.every((value) => /^-?\d+$/.test(value) && Number.isSafeInteger(Number(value))))
      throw new Refused(400, `Error with filter field \`${name}\`: Not an int64.`);
    const meets = (number: number) => values.some((value) => compares(number, sign, Number(value)));
    return (document) => (own(document) as number[]).some(meets);
  }
  if (!["", "=", "!=", "!"].includes(sign)) throw new Refused(400, `${sign} of a text`);
  const matches: Predicate = (document) =>
    (own(document) as string[]).some((text) => values.some((value) => matchesText(text, value, sign)));
  return sign.startsWith("!") ? (document) => !matches(document) : matches;
}

function compares(number: number, sign: string, value: number): boolean {
  if (sign === ">" || sign === ">=") return number > value || (sign === ">=" && number === value);
  if (sign === "<" || sign === "<=") return number < value || (sign === "<=" && number === value);
  return number === value;
}

/** With `=` the whole text, without it some of its words. A star makes the last word a prefix. */
function matchesText(text: string, value: string, sign: string): boolean {
  const [own, wanted] = [wordsIn(text), wordsIn(value)];
  const goesOn = value.endsWith("*");
  const same = (a: string | undefined, b: string, isLast: boolean) =>
    a !== undefined && (goesOn && isLast ? a.startsWith(b) : a === b);
  if (!sign.endsWith("=")) return wanted.every((word) => own.some((each) => same(each, word, true)));
  if (!goesOn && own.length !== wanted.length) return false;
  return wanted.every((word, index) => same(own[index], word, index === wanted.length - 1));
}

const split = new Map<string, string[]>();

/** Splits text like Typesense: at spaces, without punctuation and accents, at most a hundred letters per word. */
export function wordsIn(text: string): string[] {
  const known = split.get(text);
  if (known) return known;
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[ \n]+/)
    .map((word) => word.replace(/[!-/:-@[-`{-~]/g, "").slice(0, 100))
    .filter((word) => word !== "");
  split.set(text, words);
  return words;
}
