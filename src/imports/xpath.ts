/** XPath 3.1 on one record, with names in Clark notation. Nothing of it reads files or addresses: there is no `doc()`. */

import fontoxpath from "fontoxpath";
import { type Attr, Document, type Element, Node } from "slimdom";
import { namedLanguage } from "../records/fields.ts";
import { fromClark } from "./clark.ts";
import type { Said } from "./source-row.ts";
import { type Limits, limitsOf, MOST_STEPS, Sight, TooManySteps } from "./xpath-limits.ts";

// a CommonJS package: Node and Deno know its default export only
const { evaluateXPath, evaluateXPathToNodes, parseScript, registerCustomXPathFunction, Language } =
  fontoxpath;

const LANGUAGE = Language.XPATH_3_1_LANGUAGE;
const LONGEST = 2_000;
/** Steps for the choice of records in a file that is read whole: so many for each of its elements, up to a second or so. */
const STEPS_EACH = 12;
const MOST_STEPS_WHOLE = 3_000_000;
/** Values that one XPath gives in a record, and their characters. */
const MOST_SAID = 10_000;
const MOST_TEXT = 1_048_576;

/** Functions of our own in the place of those that take as long as their pattern, or the square of a list, makes them. */
const OWN = "urn:svc:xpath";
const NAMED_SO = new Set(["matches 2", "replace 3", "tokenize 2", "distinct-values 1"]);
/** Nothing is in scope but what the XPath writes out; an element name without a namespace has none. */
const OPTIONS = {
  language: LANGUAGE,
  namespaceResolver: (prefix: string) => (prefix === "" ? "" : null),
  functionNameResolver: ({ prefix, localName }: { prefix: string; localName: string }, arity: number) =>
    ["", "fn"].includes(prefix) && NAMED_SO.has(`${localName} ${arity}`)
      ? { namespaceURI: OWN, localName }
      : (null as never),
};

type Asked = { currentContext: Sight };
type Work = Parameters<typeof registerCustomXPathFunction>[3];
const own = (localName: string, types: string[], gives: string, work: Work) =>
  registerCustomXPathFunction({ namespaceURI: OWN, localName }, types, gives, work);
own(
  "matches",
  ["xs:string?", "xs:string"],
  "xs:boolean",
  (asked: Asked, value: string | null, pattern: string) => {
    for (const _ of matchesOf(asked, value ?? "", pattern)) return true;
    return false;
  },
);
own(
  "tokenize",
  ["xs:string?", "xs:string"],
  "xs:string*",
  (asked: Asked, value: string | null, pattern: string) => {
    if (!value) return [];
    const parts: string[] = [];
    let at = 0;
    for (const { from, to } of matchesOf(asked, value, pattern)) {
      parts.push(value.slice(at, from));
      at = to;
    }
    return [...parts, value.slice(at)];
  },
);
own(
  "replace",
  ["xs:string?", "xs:string", "xs:string"],
  "xs:string",
  (asked: Asked, value: string | null, pattern: string, by: string) => {
    let changed = "";
    let at = 0;
    for (const { from, to, group } of matchesOf(asked, value ?? "", pattern)) {
      const put = by.replace(/\\([\\$])|\$(\d)/g, (_, char, n) => char ?? group(Number(n)));
      asked.currentContext.spend(put.length);
      changed += (value ?? "").slice(at, from) + put;
      at = to;
    }
    return changed + (value ?? "").slice(at);
  },
);
own("distinct-values", ["xs:anyAtomicType*"], "item()*", (_, values: unknown[]) => [...new Set(values)]);

function* matchesOf({ currentContext: sight }: Asked, value: string, pattern: string) {
  const { all, cost } = sight.patterns.get(pattern)!;
  const spend = (from: number) => sight.spend(1 + ((value.length - from) * cost) / 4);
  spend(0);
  for (const match of all(value)) {
    yield match;
    spend(match.to);
  }
}

export type XPath = {
  /** It may look at what stands outside of the element on which it is asked. */
  looksOutside: boolean;
  /**
   * What it gives on an element; `lang` is the language of what the element stands in, `seen` is told of every text and
   * attribute that is read. Throws what XPath refuses.
   */
  read(record: Element, lang: string, seen?: Set<Node>): Said[];
  /** The nodes that it selects in a document with so many elements. */
  select(document: Document, elements: number): Node[];
};

/** The XPath, or a sentence saying why it is none. It is looked at, not asked: nobody should wait for that here. */
export function compileXPath(source: string): XPath | string {
  if (source.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const xpath = fromClark(source);
  // numbers and dates come as XPath writes them
  const script = `if ($asked) then (${xpath}) ! (if (. instance of node()) then . else string(.)) else ()`;
  const evaluate = (on: Element, sight: Sight | null): unknown[] =>
    evaluateXPath(script, on, sight as never, { asked: sight !== null }, evaluateXPath.ALL_RESULTS_TYPE, {
      ...OPTIONS,
      currentContext: sight,
    });
  let limits: Limits | string;
  let outside: boolean;
  try {
    const tree = parseScript(xpath, { language: LANGUAGE }, new Document()) as Element;
    limits = limitsOf(tree);
    if (typeof limits === "string") return limits;
    outside = looksOutside(tree, 0);
    evaluate(new Document().createElement("empty"), null);
  } catch (error) {
    return faultOf(error);
  }
  const within = limits;
  return {
    looksOutside: outside,
    read(record, lang, seen) {
      const sight = new Sight(within, MOST_STEPS, seen);
      return counted(sight, () => {
        const items = evaluate(record, sight);
        if (items.length > MOST_SAID)
          throw new TooManySteps(`it gives ${items.length} values, more than ${MOST_SAID}`);
        let long = 0;
        return items.flatMap((item) => {
          const values = said(item, record, lang, sight);
          long += values[0]?.text.length ?? 0;
          if (long > MOST_TEXT) throw new TooManySteps(`it gives more than ${MOST_TEXT} characters`);
          return values;
        });
      });
    },
    select(document, elements) {
      const sight = new Sight(
        within,
        Math.min(MOST_STEPS_WHOLE, Math.max(MOST_STEPS, STEPS_EACH * elements)),
      );
      return counted(sight, () =>
        evaluateXPathToNodes(xpath, document, sight as never, {}, { ...OPTIONS, currentContext: sight }),
      );
    },
  };
}

/** What comes of it, or that it was too much, which the engine wraps in its own words. */
function counted<T>(sight: Sight, work: () => T): T {
  try {
    return work();
  } finally {
    if (sight.isSpent) sight.spend(0);
  }
}

/** What is wrong with it, whatever the record. */
function faultOf(error: unknown): string {
  const message = (error as Error).message;
  if (error instanceof RangeError) return "is nested too deeply";
  const prefix = /prefix (\S+) could not be resolved|function ([^\s:]+):\S+ with arity/.exec(message);
  if (prefix && !message.includes("Q{"))
    return `has the unknown prefix ${prefix[1] ?? prefix[2]}: write the namespace out, as {namespace}name`;
  const place = /at <>:\d+:(\d+)/.exec(message)?.[1];
  if (message.includes("Failed to parse"))
    return `is not an XPath${place ? ` from character ${place} on` : ""}`;
  const known = /(?:XPST|FORX)\d{4}[:,]?\s*([^\n]*)/.exec(message)?.[1] ?? message.split("\n")[0]!;
  return `cannot be evaluated: ${known.replace(/Q\{[^}]*\}/g, "").slice(0, 200)}`;
}

function said(item: unknown, record: Element, lang: string, sight: Sight): Said[] {
  if (!(item instanceof Node)) return [{ text: String(item) }];
  const isAttribute = item.nodeType === Node.ATTRIBUTE_NODE;
  if (isAttribute) sight.saw(item);
  const text = isAttribute ? (item as Attr).value : textOf(item, sight);
  if (text.trim() === "") return [];
  const element = isAttribute ? (item as Attr).ownerElement : item;
  const language = languageOf(element, record, lang, sight);
  return [language === "" ? { text } : { text, lang: language }];
}

/** Without the line breaks and indentation of the file; an empty line between paragraphs stays. */
function textOf(node: Node, sight: Sight): string {
  const text = wholeText(node, sight);
  if (!/[\t\n\r]|^ | $| {2}/.test(text)) return text;
  const structured = node.childNodes.some((child) => child.nodeType === Node.ELEMENT_NODE);
  const paragraphs = structured ? [text] : text.split(/\n[ \t\r]*\n/);
  return paragraphs
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

function wholeText(node: Node, sight: Sight): string {
  switch (node.nodeType) {
    case Node.ELEMENT_NODE:
    case Node.DOCUMENT_NODE:
      return sight
        .getChildNodes(node)
        .map((child) => (child.nodeType === Node.COMMENT_NODE ? "" : wholeText(child, sight)))
        .join("");
    default:
      return sight.getData(node);
  }
}

const XML = "http://www.w3.org/XML/1998/namespace";

/** `xml:lang` of the nearest element that has one; "" for none, for what is not a language tag, and for no language (zxx). */
function languageOf(from: Node | null, record: Element, outer: string, sight: Sight): string {
  for (let at = from; at !== null; at = at === record ? null : sight.getParentNode(at)) {
    if (at.nodeType === Node.ELEMENT_NODE) sight.spend((at as Element).attributes.length / 8);
    const own = at.nodeType === Node.ELEMENT_NODE ? (at as Element).getAttributeNS(XML, "lang") : null;
    if (own !== null) return namedLanguage(own) ?? "";
  }
  return namedLanguage(outer) ?? "";
}

const OUTWARD = new Set(["ancestor", "ancestor-or-self", "preceding", "following"]);
const SIDEWAYS = new Set(["preceding-sibling", "following-sibling"]);

/** Walks the XPath's tree (XQueryX); `depth` is how far below the record the context lies at least. */
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
