/**
 * Is this SQL a `COPY … FROM STDIN`?
 *
 * PGlite stops for good when it has to wait for copy data, so the statement must be recognised before it runs:
 * `alone` is collected with its data and run in one piece, `mixed` (beside other statements) is refused.
 */
export function copyFromStdin(sql: string): "no" | "alone" | "mixed" {
  if (!/\bcopy\b/i.test(sql) || !/\bstdin\b/i.test(sql)) return "no"; // nearly every statement ends here
  const statements = withoutTexts(sql)
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  if (!statements.some((statement) => /^copy\b[\s\S]*\bfrom\s+stdin\b/i.test(statement))) return "no";
  return statements.length === 1 ? "alone" : "mixed";
}

/** Does the statement ask for the binary format? Only psql wants to know before it sends the data. */
export function isBinaryCopy(sql: string): boolean {
  return /^\s*copy\s+binary\b|\bstdin\b[\s\S]*\bbinary\b/i.test(sql);
}

/** The statement without its comments, and with its string constants and quoted names emptied. */
function withoutTexts(sql: string): string {
  return sql.replace(
    /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/gi,
    (text) => (text.startsWith("--") || text.startsWith("/*") ? " " : '""'),
  );
}
