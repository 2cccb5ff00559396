/**
 * Limits what an XPath may use and how much work it may do, so that its time and memory are bounded for any XPath and file.
 * Each step in the document is counted. An XPath whose values multiply without steps is refused.
 */

import type { Attr, CharacterData, Element, Node } from "slimdom";
import { type Said, said, say } from "../../messages/said.ts";
import { ENGLISH, type MessageKey } from "../../messages/translate.ts";
import { wordSet } from "../../text.ts";
import { type Faulty, faulty } from "../mapping/faulty.ts";
import { compilePattern, type Extraction } from "../mapping/patterns.ts";
import { brief } from "../mapping/targets.ts";

/** Most steps from node to node that an XPath may take in a record: about a tenth of a second. */
export const MOST_STEPS = 100_000;
const MOST_PARTS = 1_500;
const MOST_COPIES = 1_000;
const MOST_COMPARED = 200;
/** How many characters take as much work as one step. */
const CHARACTERS = 16;

/** The patterns of an XPath, and the cost of a step and of a character in it. A step of an XPath without functions costs 1. */
export type Limits = { patterns: ReadonlyMap<string, Extraction>; step: number; character: number };

export class TooManySteps extends Error {
  readonly told: Said;

  constructor(told: Said) {
    super(say(ENGLISH, told));
    this.told = told;
  }
}

const FUNCTIONS = wordSet(
  "abs avg boolean ceiling codepoints-to-string concat contains count data distinct-values empty ends-with exists false",
  "floor has-children head lang last local-name lower-case matches max min name namespace-uri node-name normalize-space",
  "not number position replace reverse root round starts-with string string-join string-length subsequence substring",
  "substring-after substring-before sum tail tokenize translate true upper-case",
);
const RETURN_LISTS = new Set(["data", "distinct-values", "reverse", "subsequence", "tail", "tokenize"]);
/** Functions whose second and third argument must be constants, because they are compared with every place in the text. */
const WITH_CONSTANT_ARGUMENTS = wordSet(
  "contains matches replace substring-after substring-before tokenize translate",
);
const WITH_PATTERN = new Set(["matches", "replace", "tokenize"]);

const CONSTANT = /^(?:integer|decimal|double|string)ConstantExpr$/;
const COMPARES = /^(?:equal|notEqual|lessThan|lessThanOrEqual|greaterThan|greaterThanOrEqual)Op$/;
const SINGLE_VALUES =
  /(?:Op|castExpr|castableExpr|instanceOfExpr|contextItemExpr|rootExpr)$|^(?:integer|decimal|double|string)ConstantExpr$/;
const ALLOWED_PARTS = wordSet(
  "module mainModule queryBody pathExpr stepExpr filterExpr sequenceExpr contextItemExpr rootExpr xpathAxis predicates",
  "nameTest Wildcard star NCName uri QName anyKindTest textTest commentTest piTest piTarget elementTest elementName",
  "attributeTest attributeName documentTest value firstOperand secondOperand operand simpleMapExpr ifThenElseExpr",
  "ifClause thenClause elseClause functionCallExpr functionName arguments argExpr castExpr castableExpr singleType",
  "atomicType optional instanceOfExpr sequenceType occurrenceIndicator anyItemType",
);
const NAMES_OF_REFUSED: Readonly<Record<string, MessageKey>> = {
  rangeSequenceExpr: "fault.xpath.range",
  flworExpr: "fault.xpath.for",
  quantifiedExpr: "fault.xpath.quantifier",
  inlineFunctionExpr: "fault.xpath.own_function",
  varRef: "fault.xpath.variable",
};

/** The limits of an XPath, from its syntax tree (XQueryX), or what is not allowed in it. */
export function limitsOf(tree: Element): Limits | Faulty {
  const patterns = new Map<string, Extraction>();
  let parts = 0;
  let work = 0;
  let functions = 0;
  let times = 1;
  let letters = 0;
  /** What is not allowed at or below `node`. */
  const faultIn = (node: Element): Said | undefined => {
    const { localName: name, children } = node;
    parts += 1;
    if (CONSTANT.test(name)) letters += node.textContent!.length;
    else if (name.endsWith("Op")) work += 1;
    else if (name === "sequenceExpr") times *= Math.max(1, costFreeParts(node));
    else if (name === "functionCallExpr") {
      functions += 1;
      const fault = functionFault(node, patterns);
      if (fault !== undefined) return fault;
    } else if (!ALLOWED_PARTS.has(name)) {
      const refused = NAMES_OF_REFUSED[name];
      return refused ? said(refused) : said("fault.xpath.part", { name: brief(name) });
    }
    if (COMPARES.test(name) && !children.some((side) => isSingleValue(side.children[0]!)))
      return said("fault.xpath.compares_lists");
    if (parts > MOST_PARTS) return said("fault.xpath.many_parts", { most: MOST_PARTS });
    for (const child of children) {
      const fault = faultIn(child);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const fault = faultIn(tree);
  if (fault !== undefined) return { fault };
  if (times > MOST_COPIES) return faulty("fault.xpath.lists_of_lists");
  return {
    patterns,
    step: times * (1 + (work + functions) / 20 + (functions * letters) / 200),
    character: (1 + functions * (1 + letters / 20)) / CHARACTERS,
  };
}

function functionFault(call: Element, patterns: Map<string, Extraction>): Said | undefined {
  const [named, args] = call.children as [Element, Element];
  const name = named.textContent!;
  const prefix = named.attributes.find(({ localName }) => localName === "prefix")?.value;
  if (prefix === undefined || !["", "fn"].includes(prefix) || !FUNCTIONS.has(name)) {
    const whole = prefix ? `${prefix}:${name}` : name;
    return said("fault.xpath.function", { name: brief(whole) });
  }
  if (!WITH_CONSTANT_ARGUMENTS.has(name)) return undefined;
  for (const arg of args.children.slice(1))
    if (arg.localName !== "stringConstantExpr") return said("fault.xpath.pattern_quotes", { name });
  const pattern = args.children[1]?.textContent;
  if (!WITH_PATTERN.has(name) || pattern === undefined || pattern === null) return undefined;
  const compiled = compilePattern(pattern);
  if ("fault" in compiled)
    return said("fault.xpath.pattern", { pattern: brief(pattern), fault: compiled.fault });
  if (name !== "matches" && compiled.find("") !== undefined)
    return said("fault.xpath.empty_match", { pattern: brief(pattern) });
  patterns.set(pattern, compiled);
  return undefined;
}

/** How many parts of a list take no step, and so cost nothing. A list of constants in a comparison counts as one. */
function costFreeParts(list: Element): number {
  const { children } = list;
  const compared = /Operand$/.test((list.parentNode as Element).localName);
  if (compared && children.length <= MOST_COMPARED && children.every((each) => CONSTANT.test(each.localName)))
    return 1;
  return children.filter((each) => !takesSteps(each)).length;
}

function takesSteps(node: Element): boolean {
  if (node.localName === "rootExpr") return true;
  return node.localName === "xpathAxis" ? node.textContent !== "self" : node.children.some(takesSteps);
}

/** Whether the part returns at most one value, or a list of constants. */
function isSingleValue(node: Element): boolean {
  const { localName: name, children } = node;
  if (name === "functionCallExpr") return !RETURN_LISTS.has(children[0]!.textContent!);
  if (name === "unionOp" || name === "intersectOp" || name === "exceptOp") return false;
  if (SINGLE_VALUES.test(name)) return true;
  if (name === "sequenceExpr")
    return (
      children.every((each) => CONSTANT.test(each.localName)) ||
      (children.length === 1 && isSingleValue(children[0]!))
    );
  if (name === "pathExpr") return children.every(isSingleValue);
  if (name === "ifThenElseExpr")
    return children.slice(1).every((clause) => isSingleValue(clause.children[0]!));
  if (name !== "stepExpr") return false;
  const chosen = children.find((child) => child.localName === "predicates")?.children ?? [];
  if (chosen.some((each) => each.localName === "integerConstantExpr" || /^last$/.test(each.textContent!)))
    return true;
  const [first, test] = children;
  if (first!.localName === "filterExpr") return isSingleValue(first!.children[0]!);
  const axis = first!.textContent;
  return axis === "self" || axis === "parent" || (axis === "attribute" && test?.localName === "nameTest");
}

/** The `domFacade` through which the XPath engine reads a document. Counts each step and throws if there are too many. */
export class CountedDocument {
  readonly #limits: Limits;
  /** Collects every text and attribute that was read. */
  readonly #seen: Set<Node> | undefined;
  #left: number;

  constructor(limits: Limits, steps = MOST_STEPS, seen?: Set<Node>) {
    this.#limits = limits;
    this.#left = steps;
    this.#seen = seen;
  }

  noteRead(node: Node): void {
    this.#seen?.add(node);
  }

  get patterns(): Limits["patterns"] {
    return this.#limits.patterns;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps(said("fault.xpath.work"));
  }

  /** Whether the limit was exceeded, even if the engine caught the error. */
  get isExhausted(): boolean {
    return this.#left < 0;
  }

  #step<T>(to: T, more = 0): T {
    this.spend(this.#limits.step * (1 + more / 8));
    return to;
  }

  #text(text: string): string {
    this.spend(this.#limits.step + text.length * this.#limits.character);
    return text;
  }

  getAllAttributes(node: Node): Attr[] {
    const attributes = (node as Element).attributes ?? [];
    return this.#step(attributes, attributes.length);
  }

  getAttribute(node: Node, name: string): string | null {
    const { attributes } = node as Element;
    if (attributes === undefined) return this.#step(null);
    this.#step(null, attributes.length);
    const attribute = (node as Element).getAttributeNode(name);
    if (attribute === null) return null;
    this.noteRead(attribute);
    return this.#text(attribute.value);
  }

  getChildNodes(node: Node): Node[] {
    const { childNodes } = node;
    return this.#step(childNodes, childNodes.length);
  }

  getData(node: Node): string {
    this.noteRead(node);
    return this.#text((node as Attr).value ?? (node as CharacterData).data ?? "");
  }

  getFirstChild(node: Node): Node | null {
    return this.#step(node.firstChild);
  }

  getLastChild(node: Node): Node | null {
    return this.#step(node.lastChild);
  }

  getNextSibling(node: Node): Node | null {
    return this.#step(node.nextSibling);
  }

  getPreviousSibling(node: Node): Node | null {
    return this.#step(node.previousSibling);
  }

  getParentNode(node: Node): Node | null {
    return this.#step(node.parentNode);
  }
}
