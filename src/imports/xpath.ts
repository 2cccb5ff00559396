/** XPath 3.1 on one record, with names in Clark notation. Nothing of it reads files or addresses: there is no `doc()`. */
import fontoxpath from "fontoxpath";
import { type Attr, Document, type Element, Node } from "slimdom";
import { fromClark } from "./clark.ts";
import type { Said } from "./row.ts";

// a CommonJS package: Node and Deno know its default export only
const { evaluateXPath, evaluateXPathToNodes, parseScript, Language } = fontoxpath;

const LANGUAGE = Language.XPATH_3_1_LANGUAGE;
/** Nothing is in scope but what the XPath writes out; an element name without a namespace has none. */
const OPTIONS = {
  language: LANGUAGE,
  namespaceResolver: (prefix: string) => (prefix === "" ? "" : null),
};

export type XPath = {
  /** It may look at what stands outside of the element on which it is asked. */
  looksOutside: boolean;
  /** What it gives on an element; `lang` is the language of what the element stands in. Throws what XPath refuses. */
  read(record: Element, lang: string): Said[];
  /** The nodes that it selects in a document. */
  select(document: Document): Node[];
};

/** The XPath, or a sentence saying why it is none. */
export function compileXPath(source: string): XPath | string {
  const xpath = fromClark(source);
  // numbers and dates come as XPath writes them
  const script = `(${xpath}) ! (if (. instance of node()) then . else string(.))`;
  const evaluate = (on: Element): unknown[] =>
    evaluateXPath(script, on, null, {}, evaluateXPath.ALL_RESULTS_TYPE, OPTIONS);
  let outside: boolean;
  try {
    outside = looksOutside(parseScript(xpath, { language: LANGUAGE }, new Document()), 0);
    evaluate(new Document().createElement("empty"));
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return fault;
    outside = true;
  }
  return {
    looksOutside: outside,
    read: (record, lang) => evaluate(record).flatMap((item) => said(item, record, lang)),
    select: (document) => evaluateXPathToNodes(xpath, document, null, {}, OPTIONS),
  };
}

/** What is wrong whatever the record; other faults come from an element that has nothing in it. */
function faultOf(error: unknown): string | null {
  const message = (error as Error).message;
  const prefix = /prefix (\S+) could not be resolved|function ([^\s:]+):\S+ with arity/.exec(message);
  if (prefix && !message.includes("Q{"))
    return `knows no prefix ${prefix[1] ?? prefix[2]}: namespaces are written out, {namespace}name`;
  const place = /at <>:\d+:(\d+)/.exec(message)?.[1];
  if (message.includes("Failed to parse")) return `is no XPath${place ? ` from character ${place} on` : ""}`;
  const known = /(?:XPST|FORX)\d{4}[:,]?\s*([^\n]*)/.exec(message);
  return known
    ? `is no XPath that can be asked: ${known[1]!.replace(/Q\{[^}]*\}/g, "").slice(0, 200)}`
    : null;
}

function said(item: unknown, record: Element, lang: string): Said[] {
  if (!(item instanceof Node)) return [{ text: String(item) }];
  const isAttribute = item.nodeType === Node.ATTRIBUTE_NODE;
  const text = isAttribute ? (item as Attr).value : textOf(item);
  if (text.trim() === "") return [];
  const element = isAttribute ? (item as Attr).ownerElement : item;
  const language = languageOf(element, record, lang);
  return [language === "" ? { text } : { text, lang: language }];
}

/** Without the line breaks and indentation of the file; an empty line between paragraphs stays. */
function textOf(node: Node): string {
  const text = node.textContent ?? "";
  if (!/[\t\n\r]|^ | $| {2}/.test(text)) return text;
  const structured = node.childNodes.some((child) => child.nodeType === Node.ELEMENT_NODE);
  const paragraphs = structured ? [text] : text.split(/\n[ \t\r]*\n/);
  return paragraphs
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join("\n\n");
}

const XML = "http://www.w3.org/XML/1998/namespace";
const TAG = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,6}$/;

/** `xml:lang` of the nearest element that has one; "" for none, for what is no language tag, and for no language (zxx). */
function languageOf(from: Node | null, record: Element, outer: string): string {
  for (let at = from; at !== null; at = at === record ? null : at.parentNode) {
    const own = at.nodeType === Node.ELEMENT_NODE ? (at as Element).getAttributeNS(XML, "lang") : null;
    if (own !== null) return language(own);
  }
  return language(outer);
}

function language(tag: string): string {
  return TAG.test(tag) && !/^(?:und|zxx|mul|mis)(?:-|$)/i.test(tag) ? tag : "";
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
