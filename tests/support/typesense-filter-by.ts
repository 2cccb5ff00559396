/**
 * The part of Typesense's `filter_by` that the adapter writes: comparisons, lists, beginnings, `&&`, `||`, parentheses.
 * Anything else is refused, above all a value that is more than a code or a number.
 */

export type Stored = Record<string, unknown>;
export type FieldType = { type: string; index: boolean };
export type Predicate = (document: Stored) => boolean;

/** What the server would answer. */
export class Refused extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Operands and operators that the server takes unless it was started with `--filter-by-max-ops`. */
const MOST_OPERATIONS = 100;

const TOKEN = /\s*(\(|\)|&&|\|\||[a-z][a-z0-9_]*\s*:\s*(?:!=|=|!|>=|<=|>|<)?\s*(?:\[[^\]]*\]|[^\s()&|]+))/y;
const EXPRESSION = /^([a-z][a-z0-9_]*)\s*:\s*(!=|=|!|>=|<=|>|<)?\s*(.+)$/;
const PLAIN = /^[0-9a-z][0-9a-z-]*\*?$/i;

export function parseFilter(text: string, fields: ReadonlyMap<string, FieldType>): Predicate {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Refused(400, `Could not parse the filter query: ${text.slice(from, from + 80)}`);
    tokens.push(found[1]!);
  }
  if (tokens.filter((token) => token !== "(" && token !== ")").length > MOST_OPERATIONS) {
    throw new Refused(400, "`filter_by` has too many operations.");
  }
  let at = 0;

  function all(): Predicate {
    const parts = [one()];
    let operator: string | undefined;
    while (tokens[at] === "&&" || tokens[at] === "||") {
      // which binds closer is not documented
      if (operator !== undefined && operator !== tokens[at])
        throw new Refused(400, "&& and || without parentheses");
      operator = tokens[at++];
      parts.push(one());
    }
    return operator === "||"
      ? (document) => parts.some((part) => part(document))
      : (document) => parts.every((part) => part(document));
  }

  function one(): Predicate {
    const token = tokens[at++];
    if (token === "(") {
      const inner = all();
      if (tokens[at++] !== ")")
        throw new Refused(400, "Could not parse the filter query: unbalanced parentheses.");
      return inner;
    }
    if (token === undefined || !EXPRESSION.test(token))
      throw new Refused(400, "Could not parse the filter query.");
    return comparison(token, fields);
  }

  const predicate = all();
  if (at !== tokens.length)
    throw new Refused(400, "Could not parse the filter query: unbalanced parentheses.");
  return predicate;
}

function comparison(expression: string, fields: ReadonlyMap<string, FieldType>): Predicate {
  const [, name, sign = "", operand] = EXPRESSION.exec(expression)!;
  const values = operand!.startsWith("[") ? operand!.slice(1, -1).split(",") : [operand!];
  for (const value of values) {
    if (!PLAIN.test(value))
      throw new Refused(400, `no value that the adapter may send: ${value.slice(0, 80)}`);
  }
  if (name === "id") {
    if (!["", "=", "!="].includes(sign)) throw new Refused(400, `${sign} of an id`);
    const ids = new Set<unknown>(values);
    return ({ id }) => ids.has(id) !== (sign === "!=");
  }
  const field = fields.get(name!);
  if (!field?.index) throw new Refused(404, `Could not find a filter field named \`${name}\` in the schema.`);
  if (field.type === "int64") {
    const numbers = values.map((value) => {
      if (!/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
        throw new Refused(400, `Error with filter field \`${name}\`: Not an int64.`);
      }
      return Number(value);
    });
    return (document) => {
      const own = document[name!];
      if (typeof own !== "number") return false;
      if (sign === "" || sign === "=") return numbers.includes(own);
      const [number] = numbers as [number];
      return (
        { ">": own > number, ">=": own >= number, "<": own < number, "<=": own <= number }[sign] ?? false
      );
    };
  }
  if (!["", "=", "!=", "!"].includes(sign)) throw new Refused(400, `${sign} of a text`);
  const matches: Predicate = (document) => {
    const own = document[name!];
    const elements = (Array.isArray(own) ? own : own === undefined ? [] : [own]) as string[];
    return values.some((value) => elements.some((element) => isIn(element, value, sign)));
  };
  return sign.startsWith("!") ? (document) => !matches(document) : matches;
}

/** `=`: the whole element; else one of its words. A star: it goes on. */
function isIn(element: string, value: string, sign: string): boolean {
  const wanted = value.toLowerCase();
  const words = sign.endsWith("=") ? [wordsIn(element).join(" ")] : wordsIn(element);
  return wanted.endsWith("*")
    ? words.some((word) => word.startsWith(wanted.slice(0, -1)))
    : words.includes(wanted);
}

const taken = new Map<string, string[]>();

/** As Typesense takes text apart: at spaces, signs left out, the first hundred letters of a word. */
export function wordsIn(text: string): string[] {
  const known = taken.get(text);
  if (known) return known;
  const words = text
    .toLowerCase()
    .split(/[ \n]+/)
    .map((word) => word.replace(/[!-/:-@[-`{-~]/g, "").slice(0, 100))
    .filter((word) => word !== "");
  taken.set(text, words);
  return words;
}
