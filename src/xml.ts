/** Writes XML 1.0 as text that is well-formed whatever the values contain. */

import { isLanguageTag } from "./language-tag.ts";

/** Finished markup, distinct from a plain string, which is always escaped. */
export class Xml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Text is escaped; null and undefined are left out. */
export type Content = Xml | string | null | undefined | readonly Content[];
export type Attributes = Readonly<Record<string, string | null | undefined>>;

/** An element. Names come from the program and are not escaped. Attributes without a value and an invalid `xml:lang` are left out. */
export function element(name: string, attributes: Attributes = {}, ...content: readonly Content[]): Xml {
  const inner = textOf(content);
  const start = `<${name}${attributesOf(attributes)}`;
  return new Xml(inner === "" ? `${start}/>` : `${start}>${inner}</${name}>`);
}

/** An element with others in it; left out if it would be empty. */
export function wrap(name: string, ...content: readonly Content[]): Xml | null {
  return textOf(content) === "" ? null : element(name, {}, content);
}

/** A complete document in UTF-8. */
export const document = (root: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}\n`;

function textOf(content: Content): string {
  if (content === null || content === undefined) return "";
  if (content instanceof Xml) return content.text;
  return typeof content === "string" ? escaped(content, IN_TEXT) : content.map(textOf).join("");
}

function attributesOf(attributes: Attributes): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "xml:lang" && !isLanguageTag(value ?? "")) continue;
    if (value !== null && value !== undefined) text += ` ${name}="${escaped(value, IN_ATTRIBUTE)}"`;
  }
  return text;
}

/** Readers turn a bare carriage return into a line feed (XML 1.0 §2.11), and tabs and line ends in attributes into blanks (§3.3.3). */
const IN_TEXT = /[&<>\r]/g;
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g;

/** Characters that XML 1.0 cannot contain (§2.2), including halves of surrogate pairs. */
const ILLEGAL = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const NAMED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(value: string, special: RegExp): string {
  return value
    .replace(ILLEGAL, "")
    .replace(special, (character) => NAMED[character] ?? `&#${character.charCodeAt(0)};`);
}
