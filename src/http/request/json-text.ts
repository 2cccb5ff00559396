/** Reads JSON. Engines say what is wrong in English, each in other words and some without the place, so the place is found here. */

export type Place = { line: number; column: number };

/** @param refuse makes what is thrown if the text is not JSON */
export function readJson(text: string, refuse: (place: Place) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(placeOfFault(text));
  }
}

/** The first character that cannot be there, counted from 1; the end of a text that is not complete. */
export function placeOfFault(text: string): Place {
  const lines = text.slice(0, faultAt(text)).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** What a value begins with; the space, which is no token, stands for numbers, true, false and null. */
const VALUE = '{[" ';

function faultAt(text: string): number {
  const levels: string[] = [];
  let allowed = VALUE;
  let isKey = false;
  for (let at = after(SPACE, text, 0)!; at < text.length; at = after(SPACE, text, at)!) {
    const scalar = after(SCALAR, text, at);
    const token = scalar === null ? text[at]! : " ";
    if (!allowed.includes(token)) return at;
    if (token === '"') {
      const end = endOfString(text, at);
      if (text[end] !== '"') return end < text.length ? end : at;
      at = end + 1;
    } else at = scalar ?? at + 1;
    if (token === "{" || token === "[") levels.push(token);
    else if (token === "}" || token === "]") levels.pop();
    const level = levels.at(-1);
    const ended = level === "{" ? ",}" : level === "[" ? ",]" : "";
    if (token === "{") allowed = '"}';
    else if (token === "[") allowed = `${VALUE}]`;
    else if (token === ",") allowed = level === "{" ? '"' : VALUE;
    else if (token === ":") allowed = VALUE;
    else allowed = isKey && token === '"' ? ":" : ended;
    isKey = level === "{" && (token === "{" || token === ",");
  }
  return text.length;
}

/** The index of the quotation mark that ends the string which begins at `start`, or of what no string can contain. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at]! >= " ") {
    const next = text[at] === "\\" ? after(ESCAPE, text, at) : at + 1;
    if (next === null) break;
    at = next;
  }
  return at;
}

/** Where the pattern ends that begins at `at`; null if it is not there. */
function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
