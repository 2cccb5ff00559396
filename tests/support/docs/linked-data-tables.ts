/** The tables of patterns and paths in docs/linked-data.md. */
import { PATHS, type Path } from "../../../src/formats/rdf/patterns/paths.ts";
import { PATTERNS } from "../../../src/formats/rdf/patterns/patterns.ts";

export const PAGE = new URL("../../../docs/linked-data.md", import.meta.url);
export const REGENERATE =
  "node --import tsx tests/support/docs/write-linked-data-docs.ts, and look at what changed in docs/linked-data.md";

export const tables = (): Record<"patterns" | "paths", string> => ({
  patterns: markdown(
    ["Pattern", "What", "Path", "From", "Else"],
    Object.entries(PATTERNS)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { about, path, domain, otherwise }]) => [
        `\`${name}\``,
        about,
        path,
        domain,
        domain === "E1_CRM_Entity" ? "" : `\`${otherwise ?? "note"}\``,
      ]),
  ),
  paths: markdown(
    ["Relation type", "Links", "Path"],
    Object.entries(PATHS).flatMap(([name, alternatives]) =>
      alternatives.map((each) => [
        `\`${name}\``,
        each.for === undefined ? "" : { role: "with a role", plain: "without a role" }[each.for],
        written(each.path),
      ]),
    ),
  ),
});

const written = (path: Path): string =>
  path.map((step) => (typeof step === "string" ? step : step.kind)).join(" / ");

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
