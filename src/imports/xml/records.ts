/** Cuts records out of an XML text while it is read. Each record becomes a small document. */

import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";
import { Document, type Element, Node, type Text } from "slimdom";
import { said, say, type Told } from "../../messages/said.ts";
import { ENGLISH } from "../../messages/translate.ts";
import type { RecordPath } from "./clark.ts";

/** Most characters of one record. */
const LONGEST_RECORD = 16_000_000;
/** Most characters of one tag, comment and so on outside a record. */
const LONGEST_OUTSIDE = 1_000_000;
const DEEPEST = 500;
const MOST_ATTRIBUTES = 500;
/** Most elements, attributes, texts and comments of one record. */
const MOST_NODES = 200_000;
const LONGEST_NAME = 10_000;
const XMLNS = "http://www.w3.org/2000/xmlns/";

/** The place of an element in the text of its record: its line, its first character, the end of its start tag, and its end. */
export type Place = { line: number; from: number; tag: number; to: number };

export type XmlRecord = {
  line: number;
  element: Element;
  /** The text of the element in the file. */
  raw: string;
  /** The start tags of its ancestors in the file, the root first. */
  ancestors: readonly string[];
  /** The `xml:lang` that it inherits; "" for none. */
  lang: string;
  /** The line of another record inside this one. */
  nested?: number;
};

/** Ends the reading: the file is not well-formed, or exceeds a limit. `told` says where. */
class XmlFault extends Error {
  readonly told: Told;

  constructor(told: Told) {
    super(say(ENGLISH, told));
    this.told = told;
  }
}

/** The fault of an element or tag that is too long. */
const LONG = "fault.xml.long";
export const isTooLong = (told: Told): boolean =>
  typeof told === "object" && Object.values(told.values ?? {}).some((one) => Object(one).key === LONG);

type Open = { reached: number; lang: string; raw: string; from: number; line: number };

/** Pass it the text in pieces with `take`, then call `end`. It adds the place of each element to `places`, if given. */
export class RecordReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #path: RecordPath;
  readonly #longest: number;
  readonly #mostNodes: number;
  readonly #places: Map<Element, Place> | undefined;
  readonly #stack: Open[] = [];
  #text = "";
  #base = 0;
  /** The last piece with the end of the one before. Tags are searched for in this, because that would be slow in all of `#text`. */
  #recent = "";
  #recentBase = 0;
  #document: Document | null = null;
  #node: Element | null = null;
  #nodes = 0;
  /** How many attributes of the current tag were read. */
  #attributes = 0;
  /** Where the last tag ends in the file. */
  #tagEnd = 0;
  /** The depth of the current record. */
  #depth = 0;
  #nested: number | undefined;
  #done: XmlRecord[] = [];
  #pending: Pick<Open, "from" | "line"> = { from: 0, line: 1 };
  /** An element with the local name of a record in another namespace, to suggest if there are no records. */
  similarName: string | undefined;

  constructor(
    path: RecordPath,
    options: { longest?: number; nodes?: number; places?: Map<Element, Place> } = {},
  ) {
    this.#path = path;
    this.#longest = options.longest ?? LONGEST_RECORD;
    this.#mostNodes = options.nodes ?? MOST_NODES;
    this.#places = options.places;
    const parser = this.#parser;
    parser.on("error", (error) => {
      const [, line, column, what] = /^(\d+):(\d+): (.*)$/s.exec(error.message) ?? [];
      throw line === undefined
        ? new XmlFault(error.message)
        : this.#fault(what!.replace(/\.$/, ""), line, column);
    });
    parser.on("doctype", (text) => {
      // a document type that is only a name declares nothing
      if (!/^\s*[^\s[]+\s*$/.test(text)) throw this.#fault(said("fault.xml.doctype"));
    });
    parser.on("opentagstart", () => {
      const at = parser.position - this.#recentBase;
      const from = this.#recent.lastIndexOf("<", at - 1);
      const lines = this.#recent.slice(from, at).split("\n").length - 1;
      this.#attributes = 0;
      this.#pending = { from: from + this.#recentBase, line: parser.line - lines };
    });
    parser.on("attribute", () => {
      // the parser compares each attribute with all others at the end of the tag
      if (++this.#attributes > MOST_ATTRIBUTES)
        throw this.#fault(said("fault.xml.many_attributes", { most: MOST_ATTRIBUTES }));
    });
    parser.on("opentag", (tag) => this.#open(tag));
    parser.on("closetag", () => this.#close());
    parser.on("text", (text) => this.#append(text));
    parser.on("cdata", (text) => this.#append(text));
    parser.on("comment", (text) => {
      if (!this.#node) return;
      this.#count(1);
      this.#node.appendChild(this.#document!.createComment(text));
    });
  }

  /** The records that end in this piece of the text, before a `fault` if there is one. */
  take(text: string): { records: XmlRecord[]; fault?: XmlFault } {
    const before = this.#recent.slice(-LONGEST_NAME);
    this.#recentBase = this.#base + this.#text.length - before.length;
    this.#recent = before + text;
    this.#text += text;
    return this.#read(() => {
      this.#parser.write(text);
      this.#dropReadText();
    });
  }

  end(): { records: XmlRecord[]; fault?: XmlFault } {
    return this.#read(() => this.#parser.close());
  }

  #read(step: () => void): { records: XmlRecord[]; fault?: XmlFault } {
    let fault: XmlFault | undefined;
    try {
      step();
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      fault = error;
    }
    const records = this.#done;
    this.#done = [];
    return fault ? { records, fault } : { records };
  }

  #fault(fault: Told, at: string | number = this.#parser.line, column?: string): XmlFault {
    const line = String(at);
    return new XmlFault(
      column === undefined
        ? said("fault.xml.at_line", { line, fault })
        : said("fault.xml.at_column", { line, column, fault }),
    );
  }

  #open(tag: SaxesTagNS): void {
    this.#tagEnd = this.#parser.position;
    const { local, uri } = tag;
    const attributes = Object.values(tag.attributes);
    const parent = this.#stack.at(-1);
    const reached = this.#path.at(parent?.reached ?? this.#path.begin, uri, local);
    const own = tag.attributes["xml:lang"]?.value;
    const raw = this.#node ? "" : this.#text.slice(this.#pending.from - this.#base, this.#here());
    const open = { reached, lang: own ?? parent?.lang ?? "", raw, ...this.#pending };
    this.#stack.push(open);
    if (this.#stack.length > DEEPEST) throw this.#fault(said("fault.xml.deep", { most: DEEPEST }));
    if (this.#path.isRecord(reached)) {
      if (this.#node) this.#nested ??= open.line;
      else {
        this.#document = new Document();
        this.#nodes = 0;
        this.#depth = this.#stack.length;
      }
    } else if (local === this.#path.local) this.similarName ??= uri === "" ? local : `{${uri}}${local}`;
    if (!this.#document) return;
    const element = this.#document.createElementNS(uri === "" ? null : uri, tag.name);
    this.#count(1 + attributes.length);
    for (const attribute of attributes) setAttribute(element, attribute);
    (this.#node ?? this.#document).appendChild(element);
    this.#node = element;
    const start = this.#stack[this.#depth - 1]!.from;
    this.#places?.set(element, {
      line: open.line,
      from: open.from - start,
      tag: this.#here() + this.#base - start,
      to: 0,
    });
  }

  #close(): void {
    this.#tagEnd = this.#parser.position;
    const open = this.#stack.pop()!;
    const element = this.#node;
    if (!element) return;
    const place = this.#places?.get(element);
    if (place) place.to = this.#here() + this.#base - this.#stack.concat(open)[this.#depth - 1]!.from;
    this.#node = element.parentNode?.nodeType === Node.ELEMENT_NODE ? (element.parentNode as Element) : null;
    if (this.#node) return;
    this.#done.push({
      line: open.line,
      element,
      raw: this.#text.slice(open.from - this.#base, this.#here()),
      ancestors: this.#stack.map(({ raw }) => raw),
      lang: this.#stack.at(-1)?.lang ?? "",
      ...(this.#nested === undefined ? {} : { nested: this.#nested }),
    });
    this.#document = null;
    this.#nested = undefined;
  }

  /** The position of the parser in `#text`. */
  #here(): number {
    return this.#parser.position - this.#base;
  }

  /** Joins adjacent text and CDATA sections into one node. */
  #append(text: string): void {
    if (!this.#node || text === "") return;
    const last = this.#node.lastChild;
    if (last?.nodeType === Node.TEXT_NODE) (last as Text).appendData(text);
    else {
      this.#count(1);
      this.#node.appendChild(this.#document!.createTextNode(text));
    }
  }

  /** Limits the nodes of a record. One that is all tags would take gigabytes within the limit of characters. */
  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes <= this.#mostNodes) return;
    const { line } = this.#stack[this.#depth - 1]!;
    throw this.#fault(said("fault.xml.many_nodes", { most: this.#mostNodes }), line);
  }

  /** Where in `#text` an unfinished tag begins; the end of `#text` if there is none. */
  #unfinished(): number {
    const begun = this.#text.lastIndexOf("<");
    return begun < 0 || this.#base + begun < this.#tagEnd ? this.#text.length : begun;
  }

  /** Drops the text before the current record or unfinished tag. */
  #dropReadText(): void {
    const begun = this.#node ? this.#stack[this.#depth - 1]!.from - this.#base : this.#unfinished();
    if (begun > 0) {
      this.#text = this.#text.slice(begun);
      this.#base += begun;
    }
    const longest = this.#node ? this.#longest : LONGEST_OUTSIDE;
    if (this.#text.length > longest) {
      const line = this.#node ? this.#stack[this.#depth - 1]!.line : this.#parser.line;
      throw this.#fault(said(LONG, { millions: Math.round(longest / 1e6) }), line);
    }
  }
}

function setAttribute(element: Element, { name, uri, value }: SaxesAttributeNS): void {
  element.setAttributeNS(uri === "" ? null : name === "xmlns" ? XMLNS : uri, name, value);
}
