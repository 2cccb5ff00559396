/** The texts of a source file that somebody may read: all strings except those of the API description and the log. */
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

const SILENT_PROPERTIES = new Set(["description", "summary", "example"]);
const SILENT_CALLS = /^(log|services\.log)\.|^(RegExp|Error)$/;
/** Pages use their own words for these. */
const SILENT_PROBLEMS = /^new Problem\(\s*"(not_found|unauthenticated|internal)"/;

/** Each text in parts: between two parts is a placeholder that the program fills. */
export function spokenIn(path: string): string[][] {
  const code = readFileSync(path, "utf8");
  const found: string[][] = [];
  const look = (node: Node): void => {
    const { type } = node;
    if (type === "ImportDeclaration" || type === "TaggedTemplateExpression") return;
    // types are skipped, but the value of `x as T` is a value
    if (type.startsWith("TS") && !("expression" in node)) return;
    if (type === "Property" && SILENT_PROPERTIES.has(textOf(code, node.key))) return;
    if (/^(Call|New)Expression$/.test(type) && SILENT_CALLS.test(textOf(code, node.callee))) return;
    if (type === "NewExpression" && SILENT_PROBLEMS.test(textOf(code, node))) return;
    const parts = partsOf(node);
    if (parts) found.push(parts);
    for (const child of Object.values(node).flat())
      if (isNode(child) && !(parts && isText(child))) look(child);
  };
  look(parseAst(code, { lang: "ts" }) as unknown as Node);
  return found;
}

function partsOf(node: Node): string[] | null {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : null;
  if (node.type === "TemplateLiteral")
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  if (node.type !== "BinaryExpression" || node.operator !== "+") return null;
  const [left, right] = [partsOf(node.left as Node), partsOf(node.right as Node)];
  return left && right && [...left.slice(0, -1), left.at(-1)! + right[0]!, ...right.slice(1)];
}

const isText = ({ type }: Node): boolean => type === "Literal" || type === "TemplateLiteral";

const textOf = (code: string, node: unknown): string =>
  isNode(node) ? code.slice(node.start, node.end) : "";

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
