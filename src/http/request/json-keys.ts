/** Finds a key that a JSON object has twice: JSON.parse would silently keep the last value (RFC 8259 §4 leaves open which). */
import { said } from "../../messages/said.ts";
import { invalidAt, jsonPointer } from "../../problem.ts";

/** Throws a 422 that names the first such key. `text`: valid JSON. `within`: the path to the text. */
export function demandSingleKeys(text: string, ...within: string[]): void {
  const path = repeatedKey(text);
  if (path) throw invalidAt(jsonPointer(...within, ...path), said("fault.twice_in_json"));
}

/** `keys`: of an object, so far; null for an array. `step`: the current key or index. */
type Level = { keys: Set<string> | null; step: string | number };

function repeatedKey(text: string): string[] | null {
  const levels: Level[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    const level = levels.at(-1);
    if (character === BRACE || character === BRACKET) {
      isKeyNext = character === BRACE;
      levels.push({ keys: isKeyNext ? new Set() : null, step: isKeyNext ? "" : 0 });
    } else if (character === BRACE_END || character === BRACKET_END) levels.pop();
    else if (character === COMMA && level) {
      isKeyNext = level.keys !== null;
      if (typeof level.step === "number") level.step += 1;
    } else if (character === QUOTE) {
      const end = endOfString(text, at);
      if (isKeyNext && level?.keys) {
        // a key can be written in several ways: "a", "\u0061"
        const key: string = JSON.parse(text.slice(at, end + 1));
        level.step = key;
        if (level.keys.has(key)) return levels.map(({ step }) => String(step));
        level.keys.add(key);
        isKeyNext = false;
      }
      at = end;
    }
  }
  return null;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quotation mark that ends the string, which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
