/**
 * Writes the rejects file of an XML import: the refused elements with their ancestors and namespaces, each after a comment with
 * its line and the reason. Once corrected, it can be imported with the same command.
 */
import { said } from "../../messages/said.ts";
import type { RejectsWriter } from "../csv/rejects.ts";

export function xmlRejectsWriter(): RejectsWriter {
  let open: readonly string[] = [];
  const closed = (from: number) =>
    open
      .slice(from)
      .reverse()
      .map((tag) => `</${/^<([^\s/>]+)/.exec(tag)![1]}>\n`)
      .join("");
  return {
    head: '<?xml version="1.0" encoding="UTF-8"?>\n',
    row({ line, cells: [element, ...ancestors] }, reasons, tell) {
      let same = 0;
      while (same < ancestors.length && same < open.length && ancestors[same] === open[same]) same += 1;
      const change =
        closed(same) +
        ancestors
          .slice(same)
          .map((tag) => `${tag}\n`)
          .join("");
      open = ancestors;
      // an XML comment must not contain two hyphens
      const reason = reasons.map(tell).join(`${tell(said("form.semicolon"))} `);
      const comment = tell(said("job.report.at_line", { line: String(line), reason })).replace(
        /-(?=-)/g,
        "- ",
      );
      return `${change}<!-- ${comment} -->\n${element}\n`;
    },
    tail: () => closed(0),
  };
}
