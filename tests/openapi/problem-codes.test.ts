/** The codes of problems and faults are public: programs of others compare them. */
import { expect, it } from "vitest";
import EN from "../../src/messages/en.json" with { type: "json" };

const sections = { problem: "Problems", fault: "Faults" };

/** `vitest -u` writes the page again. A code that disappears from it breaks clients. */
it("are all listed in the documentation", async () => {
  const parts = Object.entries(sections).map(([prefix, title]) => {
    const rows = Object.entries(EN)
      .filter(([key]) => key.startsWith(`${prefix}.`))
      .map(([key, text]) => `| \`${key.slice(prefix.length + 1)}\` | ${cell(text)} |`)
      .sort();
    return `## ${title}\n\n| Code | Says |\n|---|---|\n${rows.join("\n")}\n`;
  });
  await expect(`${HEAD}\n${parts.join("\n")}`).toMatchFileSnapshot("../../docs/problem-codes.md");
});

const HEAD = `# Codes of problems

Every problem (RFC 9457) has a \`code\`, and so has each entry of its \`errors\`. Codes stay the same; the sentences follow
\`Accept-Language\` and may change. Values stand in braces, as in [ICU messages](translating.md).
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

it("have the form of a code", () => {
  const codes = Object.keys(EN).filter((key) => /^(problem|fault)\./.test(key));
  expect(codes.filter((key) => !/^[a-z]+(\.[a-z0-9_]+)+$/.test(key))).toEqual([]);
});
