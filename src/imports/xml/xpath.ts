/** Evaluates the XPaths of a mapping (XPath 3.1, names in Clark notation). They cannot read files or URLs, because there is no `doc()`. */

import fontoxpath from "fontoxpath";
import { type Attr, Document, type Element, Node } from "slimdom";
import { isLanguageTag } from "../../language-tag.ts";
import { type Said, said } from "../../messages/said.ts";
import { namedLanguage } from "../../records/write/fields.ts";
import { type Faulty, faulty } from "../mapping/faulty.ts";
import type { LocalText } from "../mapping/source-row.ts";
import { fromClark } from "./clark.ts";
import { CountedDocument, type Limits, limitsOf, MOST_STEPS, TooManySteps } from "./xpath-limits.ts";

// a CommonJS package: Node and Deno see only its default export
const { evaluateXPath, evaluateXPathToNodes, parseScript, registerCustomXPathFunction, Language } =
  fontoxpath;

const LANGUAGE = Language.XPATH_3_1_LANGUAGE;
const LONGEST = 2_000;
/** Most steps to select the records of a file that is read whole: per element, and in total (about a third of a second). */
const STEPS_EACH = 12;
const MOST_STEPS_WHOLE = 1_000_000;
/** Most values that one XPath may return for a record, and most characters of these. */
const MOST_VALUES = 10_000;
const MOST_TEXT = 1_048_576;

/** We replace functions whose time grows exponentially with a pattern, or with the square of a list. */
const OWN = "urn:svc:xpath";
const REPLACED_FUNCTIONS = new Set(["matches 2", "replace 3", "tokenize 2", "distinct-values 1"]);
/** There are no prefixes: namespaces are written out. A name without one means no namespace. */
const OPTIONS = {
  language: LANGUAGE,
  namespaceResolver: (prefix: string) => (prefix === "" ? "" : null),
  functionNameResolver: ({ prefix, localName }: { prefix: string; localName: string }, arity: number) =>
    ["", "fn"].includes(prefix) && REPLACED_FUNCTIONS.has(`${localName} ${arity}`)
      ? { namespaceURI: OWN, localName }
      : (null as never),
};

type FunctionContext = { currentContext: CountedDocument };
type Work = Parameters<typeof registerCustomXPathFunction>[3];
const replaceFunction = (localName: string, types: string[], gives: string, work: Work) =>
  registerCustomXPathFunction({ namespaceURI: OWN, localName }, types, gives, work);
replaceFunction(
  "matches",
  ["xs:string?", "xs:string"],
  "xs:boolean",
  (context: FunctionContext, value: string | null, pattern: string) => {
    for (const _ of matchesOf(context, value ?? "", pattern)) return true;
    return false;
  },
);
replaceFunction(
  "tokenize",
  ["xs:string?", "xs:string"],
  "xs:string*",
  (context: FunctionContext, value: string | null, pattern: string) => {
    if (!value) return [];
    const parts: string[] = [];
    let at = 0;
    for (const { from, to } of matchesOf(context, value, pattern)) {
      parts.push(value.slice(at, from));
      at = to;
    }
    return [...parts, value.slice(at)];
  },
);
replaceFunction(
  "replace",
  ["xs:string?", "xs:string", "xs:string"],
  "xs:string",
  (context: FunctionContext, value: string | null, pattern: string, by: string) => {
    let changed = "";
    let at = 0;
    for (const { from, to, group } of matchesOf(context, value ?? "", pattern)) {
      const put = by.replace(/\\([\\$])|\$(\d)/g, (_, char, n) => char ?? group(Number(n)));
      context.currentContext.spend(put.length);
      changed += (value ?? "").slice(at, from) + put;
      at = to;
    }
    return changed + (value ?? "").slice(at);
  },
);
replaceFunction("distinct-values", ["xs:anyAtomicType*"], "item()*", (_, values: unknown[]) => [
  ...new Set(values),
]);

function* matchesOf({ currentContext: counted }: FunctionContext, value: string, pattern: string) {
  const { all, cost } = counted.patterns.get(pattern)!;
  const spend = (from: number) => counted.spend(1 + ((value.length - from) * cost) / 4);
  spend(0);
  for (const match of all(value)) {
    yield match;
    spend(match.to);
  }
}

export type XPath = {
  /** Whether it may read nodes outside the record. */
  looksOutside: boolean;
  /**
   * Returns its values for a record. `lang`: the `xml:lang` that the record inherits. Adds every text and attribute that it reads
   * to `seen`. Throws if the XPath cannot be evaluated or takes too many steps.
   */
  read(record: Element, lang: string, seen?: Set<Node>): LocalText[];
  /** Returns the nodes that it selects in a document of `elements` elements. */
  select(document: Document, elements: number): Node[];
};

/** Compiles an XPath, or says what is wrong with it. Evaluates it only on an empty element, which takes no time. */
export function compileXPath(source: string): XPath | Faulty {
  if (source.length > LONGEST) return faulty("fault.too_long", { most: LONGEST });
  const xpath = fromClark(source);
  // `string(.)` writes numbers and dates as XPath does
  const script = `if ($asked) then (${xpath}) ! (if (. instance of node()) then . else string(.)) else ()`;
  const evaluate = (on: Element, counted: CountedDocument | null): unknown[] =>
    evaluateXPath(script, on, counted as never, { asked: counted !== null }, evaluateXPath.ALL_RESULTS_TYPE, {
      ...OPTIONS,
      currentContext: counted,
    });
  let limits: Limits | Faulty;
  let outside: boolean;
  try {
    const tree = parseScript(xpath, { language: LANGUAGE }, new Document()) as Element;
    limits = limitsOf(tree);
    if ("fault" in limits) return limits;
    outside = looksOutside(tree, 0);
    evaluate(new Document().createElement("empty"), null);
  } catch (error) {
    return { fault: faultOf(error) };
  }
  const compiledLimits = limits;
  return {
    looksOutside: outside,
    read(record, lang, seen) {
      const counted = new CountedDocument(compiledLimits, MOST_STEPS, seen);
      return withinLimits(counted, () => {
        const items = evaluate(record, counted);
        if (items.length > MOST_VALUES)
          throw new TooManySteps(said("fault.xpath.many_values", { count: items.length, most: MOST_VALUES }));
        let long = 0;
        return items.flatMap((item) => {
          const values = textsOf(item, record, lang, counted);
          long += values[0]?.text.length ?? 0;
          if (long > MOST_TEXT)
            throw new TooManySteps(said("fault.xpath.many_characters", { most: MOST_TEXT }));
          return values;
        });
      });
    },
    select(document, elements) {
      const counted = new CountedDocument(
        compiledLimits,
        Math.min(MOST_STEPS_WHOLE, Math.max(MOST_STEPS, STEPS_EACH * elements)),
      );
      return withinLimits(counted, () =>
        evaluateXPathToNodes(xpath, document, counted as never, {}, { ...OPTIONS, currentContext: counted }),
      );
    },
  };
}

/** Throws `TooManySteps` if the work exceeded the limit, instead of the error into which the engine turns it. */
function withinLimits<T>(counted: CountedDocument, work: () => T): T {
  try {
    return work();
  } finally {
    if (counted.isExhausted) counted.spend(0);
  }
}

function faultOf(error: unknown): Said {
  const message = (error as Error).message;
  if (error instanceof RangeError) return said("fault.xpath.deep");
  const prefix = /prefix (\S+) could not be resolved|function ([^\s:]+):\S+ with arity/.exec(message);
  if (prefix && !message.includes("Q{"))
    return said("fault.xpath.prefix", { prefix: (prefix[1] ?? prefix[2])! });
  const place = /at <>:\d+:(\d+)/.exec(message)?.[1];
  if (message.includes("Failed to parse"))
    return place ? said("fault.xpath.invalid_at", { place }) : said("fault.xpath.invalid");
  const known = /(?:XPST|FORX)\d{4}[:,]?\s*([^\n]*)/.exec(message)?.[1] ?? message.split("\n")[0]!;
  return said("fault.xpath.failed", { reason: known.replace(/Q\{[^}]*\}/g, "").slice(0, 200) });
}

function textsOf(item: unknown, record: Element, lang: string, counted: CountedDocument): LocalText[] {
  if (!(item instanceof Node)) return [{ text: String(item) }];
  const isAttribute = item.nodeType === Node.ATTRIBUTE_NODE;
  if (isAttribute) counted.noteRead(item);
  const text = isAttribute ? (item as Attr).value : textOf(item, counted);
  if (text.trim() === "") return [];
  const element = isAttribute ? (item as Attr).ownerElement : item;
  const language = languageOf(element, record, lang, counted);
  return [language === "" ? { text } : { text, lang: language }];
}

/** The text of a node without the line breaks and indentation of the file. Empty lines between paragraphs stay. */
function textOf(node: Node, counted: CountedDocument): string {
  const text = wholeText(node, counted);
  if (!/[\t\n\r]|^ | $| {2}/.test(text)) return text;
  const structured = node.childNodes.some((child) => child.nodeType === Node.ELEMENT_NODE);
  const paragraphs = structured ? [text] : text.split(/\n[ \t\r]*\n/);
  return paragraphs
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function wholeText(node: Node, counted: CountedDocument): string {
  switch (node.nodeType) {
    case Node.ELEMENT_NODE:
    case Node.DOCUMENT_NODE:
      return counted
        .getChildNodes(node)
        .map((child) => (child.nodeType === Node.COMMENT_NODE ? "" : wholeText(child, counted)))
        .join("");
    default:
      return counted.getData(node);
  }
}

export const XML = "http://www.w3.org/XML/1998/namespace";

/** The `xml:lang` of the nearest element that has one; "" if none has one, or if it names no language (`und`, `zxx`). */
function languageOf(from: Node | null, record: Element, outer: string, counted: CountedDocument): string {
  for (let at = from; at !== null; at = at === record ? null : counted.getParentNode(at)) {
    if (at.nodeType === Node.ELEMENT_NODE) counted.spend((at as Element).attributes.length / 8);
    const own = at.nodeType === Node.ELEMENT_NODE ? (at as Element).getAttributeNS(XML, "lang") : null;
    if (own !== null) return namedLanguage(own) ?? "";
  }
  return namedLanguage(outer) ?? "";
}

/** The values of `xml:lang` in a record that are not language tags. `outer`: what the record inherits. */
export function untaggedIn(record: Element, outer: string): string[] {
  const found = [outer];
  const left = [record];
  for (let at = left.pop(); at; at = left.pop()) {
    found.push(at.getAttributeNS(XML, "lang") ?? "");
    for (const child of at.children) left.push(child);
  }
  // an empty value means no language
  return [...new Set(found)].filter((tag) => tag !== "" && !isLanguageTag(tag));
}

const OUTWARD = new Set(["ancestor", "ancestor-or-self", "preceding", "following"]);
const SIDEWAYS = new Set(["preceding-sibling", "following-sibling"]);

/** Walks the syntax tree of the XPath (XQueryX). `depth`: the fewest levels that the context node lies below the record. */
function looksOutside(tree: Element, depth: number): boolean {
  let at = depth;
  for (const node of tree.children) {
    const { localName } = node;
    if (localName === "rootExpr") return true;
    if (localName === "functionName" && node.textContent === "root") return true;
    if (localName !== "stepExpr") {
      if (looksOutside(node, at)) return true;
      continue;
    }
    const axis = node.children.find((child) => child.localName === "xpathAxis")?.textContent ?? "";
    if (OUTWARD.has(axis) || (SIDEWAYS.has(axis) && at < 1)) return true;
    if (axis === "parent") at -= 1;
    else if (axis === "child" || axis === "attribute" || axis === "descendant") at += 1;
    else if (axis === "" && node.children[0]?.children[0]?.localName !== "contextItemExpr") at = 0;
    if (at < 0 || looksOutside(node, at)) return true;
  }
  return false;
}
