/** Writes XML 1.0 as text: whatever the values hold, what comes out is well-formed. */

/** Markup that is ready to be sent. A plain string is never taken for it. */
export class Xml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Text is escaped; null and undefined are nothing. */
export type Content = Xml | string | null | undefined | readonly Content[];
export type Attributes = Readonly<Record<string, string | null | undefined>>;

/** An element. Names are the program's own and are written as they are; attributes without a value are left out. */
export function element(name: string, attributes: Attributes = {}, ...content: readonly Content[]): Xml {
  const inner = textOf(content);
  const start = `<${name}${attributesOf(attributes)}`;
  return new Xml(inner === "" ? `${start}/>` : `${start}>${inner}</${name}>`);
}

/** An element that holds others, and is not there when it would hold nothing. */
export function wrap(name: string, ...content: readonly Content[]): Xml | null {
  return textOf(content) === "" ? null : element(name, {}, content);
}

/** A whole document, in UTF-8. */
export const document = (root: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;

function textOf(content: Content): string {
  if (content === null || content === undefined) return "";
  if (content instanceof Xml) return content.text;
  return typeof content === "string" ? escaped(content, IN_TEXT) : content.map(textOf).join("");
}

function attributesOf(attributes: Attributes): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) text += ` ${name}="${escaped(value, IN_ATTRIBUTE)}"`;
  }
  return text;
}

/** A reader would take a bare carriage return for a line feed (XML 1.0 §2.11), and tabs and lines in attributes for blanks (§3.3.3). */
const IN_TEXT = /[&<>\r]/g;
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g;

/** What XML 1.0 has no place for (§2.2), halves of surrogate pairs among it. */
const ILLEGAL = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(value: string, special: RegExp): string {
  return value
    .replace(ILLEGAL, "")
    .replace(special, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`);
}
