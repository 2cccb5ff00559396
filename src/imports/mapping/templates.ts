/** Templates such as `{value} ({place})`: text around the current value and other columns of the row. */

import { normalised } from "../../text.ts";
import { type Faulty, faulty } from "./faulty.ts";

/** `column: undefined` stands for `{value}`. `optional`: shown only if all its placeholders have a value. */
type Part = { text: string } | { column: string | undefined } | { optional: readonly Part[] };

/** `places`: the number of its parts, including those inside optional parts. */
export type Template = { parts: readonly Part[]; columns: readonly string[]; places: number };

/** Most levels of nested optional parts. */
const DEEPEST = 5;

/** Parses a template, or says what is wrong with it. `{{` and `}}` are literal braces. */
export function parseTemplate(source: string, depth = 0): Template | Faulty {
  const parts: Part[] = [];
  const columns: string[] = [];
  let places = 0;
  let text = "";
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!;
    if ((char === "{" || char === "}") && source[i + 1] === char) {
      text += char;
      i++;
    } else if (char === "{") {
      const close = closeOf(source, i);
      if (close < 0) return faulty("fault.template.open_brace", { character: String(i + 1) });
      const inside = source.slice(i + 1, close);
      if (inside.startsWith("?")) {
        if (depth === DEEPEST) return faulty("fault.template.deep", { most: DEEPEST });
        const optional = parseTemplate(inside.slice(1), depth + 1);
        if ("fault" in optional)
          return depth > 0 ? optional : faulty("fault.template.optional", { fault: optional.fault });
        if (!optional.parts.some((part) => "column" in part)) return faulty("fault.template.no_column");
        if (text !== "") parts.push({ text });
        text = "";
        parts.push({ optional: optional.parts });
        for (const column of optional.columns) columns.push(column);
        places += optional.places;
        i = close;
        continue;
      }
      const name = normalised(inside.trim(), "NFC");
      if (name === "") return faulty("fault.template.empty_braces");
      if (text !== "") parts.push({ text });
      text = "";
      parts.push({ column: name === "value" ? undefined : name });
      if (name !== "value") columns.push(name);
      i = close;
    } else if (char === "}") {
      return faulty("fault.template.unopened_brace", { character: String(i + 1) });
    } else {
      text += char;
    }
  }
  if (text !== "") parts.push({ text });
  return { parts, columns, places: places + parts.length };
}

/** The position of the brace that closes the one at `open`. An XPath between them may contain braces: `{ {uri}name }`. */
function closeOf(source: string, open: number): number {
  let depth = 0;
  for (let i = open; i < source.length; i++) {
    if (source[i] === "{") depth += 1;
    else if (source[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

/**
 * Fills in the template. The result is empty if it contains `{value}` and the value is empty, or if all its placeholders are
 * empty, so that an unmeasured object gets no "height:  cm". A template without placeholders is a constant, even for an empty
 * cell. An optional part is left out if one of its columns is empty.
 */
export function fillTemplate({ parts }: Template, value: string, read: (column: string) => string): string {
  let filled = "";
  let shows = false;
  let empty = true;
  for (const part of parts) {
    if ("text" in part) {
      filled += part.text;
      continue;
    }
    const shown =
      "optional" in part
        ? fillOptional(part.optional, value, read)
        : (part.column === undefined ? value : read(part.column)).trim();
    if ("column" in part && part.column === undefined && shown === "") return "";
    shows = true;
    if (shown !== "") empty = false;
    filled += shown;
  }
  return shows && empty ? "" : filled;
}

/** Empty if one of its own placeholders is empty. Optional parts inside it are left out separately. */
function fillOptional(parts: readonly Part[], value: string, read: (column: string) => string): string {
  let filled = "";
  for (const part of parts) {
    if ("text" in part) filled += part.text;
    else if ("optional" in part) filled += fillOptional(part.optional, value, read);
    else {
      const shown = (part.column === undefined ? value : read(part.column)).trim();
      if (shown === "") return "";
      filled += shown;
    }
  }
  return filled;
}
