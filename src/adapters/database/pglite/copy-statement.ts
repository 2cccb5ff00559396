/**
 * Whether this SQL is a `COPY … FROM STDIN`. It has to be recognised before it runs (see copy-in.ts). `alone` is collected with
 * its data; `mixed`, with other statements beside it, is refused.
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

/** The statement without its comments, and with its string constants and quoted names emptied. */
function withoutTexts(sql: string): string {
  return sql.replace(
    /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/gi,
    (text) => (text.startsWith("--") || text.startsWith("/*") ? " " : '""'),
  );
}
