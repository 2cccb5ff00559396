/** Templates such as `{value} ({place})`: text around the current value and other columns of the row. */

/** `column` undefined is `{value}`. */
type Part = { text: string } | { column: string | undefined };

export type Template = { parts: readonly Part[]; columns: readonly string[] };

/** The parts of a template, or a sentence saying what is wrong. `{{` and `}}` are braces. */
export function parseTemplate(source: string): Template | string {
  const parts: Part[] = [];
  const columns: string[] = [];
  let text = "";
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!;
    if ((char === "{" || char === "}") && source[i + 1] === char) {
      text += char;
      i++;
    } else if (char === "{") {
      const close = closeOf(source, i);
      if (close < 0)
        return `opens a brace at character ${i + 1} and never closes it; a brace itself is written {{`;
      const name = source
        .slice(i + 1, close)
        .trim()
        .normalize("NFC");
      if (name === "") return "has empty braces: write {value} or {the name of a column}";
      if (text !== "") parts.push({ text });
      text = "";
      parts.push({ column: name === "value" ? undefined : name });
      if (name !== "value") columns.push(name);
      i = close;
    } else if (char === "}") {
      return `closes a brace at character ${i + 1} that was not opened; a brace itself is written }}`;
    } else {
      text += char;
    }
  }
  if (text !== "") parts.push({ text });
  return { parts, columns };
}

/** The brace that closes the one at `open`: the XPath between them may have its own, `{ {uri}name }`. */
function closeOf(source: string, open: number): number {
  let depth = 0;
  for (let i = open; i < source.length; i++) {
    if (source[i] === "{") depth += 1;
    else if (source[i] === "}" && --depth === 0) return i;
  }
  return -1;
}

/**
 * The template filled in. It gives nothing when it shows `{value}` and the value is empty, or when everything that it
 * shows is empty: no "height:  cm" for an unmeasured thing. Without any placeholder it is a constant, given even for
 * an empty cell. Another column that is empty leaves its place empty.
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
    const shown = (part.column === undefined ? value : read(part.column)).trim();
    if (part.column === undefined && shown === "") return "";
    shows = true;
    if (shown !== "") empty = false;
    filled += shown;
  }
  return shows && empty ? "" : filled;
}
