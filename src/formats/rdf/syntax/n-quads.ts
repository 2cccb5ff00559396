/**
 * Writes N-Quads and N-Triples (https://www.w3.org/TR/n-quads/). Not by n3's writer, which needs an object for every term:
 * the whole catalogue is written here.
 */
import type { Graph, Literal, Statement } from "../graph.ts";
import { type ClassName, iriOf } from "../patterns/names.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

const ESCAPED = /[\\"\p{Cc}]/u;
const EACH_ESCAPED = /[\\"\p{Cc}]/gu;

const escaped = (value: string): string =>
  ESCAPED.test(value)
    ? value.replace(
        EACH_ESCAPED,
        (sign) => ESCAPES[sign] ?? `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
      )
    : value;

function literal({ value, lang, type }: Literal): string {
  const quoted = `"${escaped(value)}"`;
  if (lang !== undefined) return `${quoted}@${lang}`;
  return type === undefined ? quoted : `${quoted}^^<${iriOf(type)}>`;
}

function object([predicate, value]: Statement): string {
  if (typeof value !== "string") return literal(value);
  return `<${predicate === "rdf:type" ? iriOf(value as ClassName) : value}>`;
}

/** One line for each triple; N-Triples if the graph has no name. */
export function nQuads({ described }: Graph, name?: string): string {
  const end = name === undefined ? " .\n" : ` <${name}> .\n`;
  let lines = "";
  for (const [subject, statements] of described) {
    for (const statement of statements) {
      lines += `<${subject}> <${iriOf(statement[0])}> ${object(statement)}${end}`;
    }
  }
  return lines;
}
