/** svc-manage import-undo ID: undoes a whole import. */
import { defineCommand } from "citty";
import { OPERATOR } from "../src/caller.ts";
import { UUID } from "../src/ids.ts";
import { count, counted } from "../src/imports/counts.ts";
import { type UndoSummary, undoImport } from "../src/imports/undo.ts";
import { Refusal } from "../src/refusal.ts";
import { openCatalogue, openCommandConfig } from "./open.ts";
import { openProgress } from "./progress.ts";
import { ask, isSomebodyThere } from "./question.ts";
import { INTERRUPTED, onStopSignal } from "./stop-signals.ts";
import { help } from "./words.ts";

/** Exit code if some records were not undone. */
const WITH_LEFT = 3;
/** The most records that are listed on the terminal. */
const NAMED = 30;

export const importUndo = defineCommand({
  meta: {
    name: "import-undo",
    description: help("cli.help.import_undo.about"),
  },
  args: {
    id: {
      type: "positional",
      required: true,
      description: help("cli.help.import_undo.id"),
    },
    "dry-run": { type: "boolean", default: false, description: help("cli.help.option.dry_run") },
    yes: { type: "boolean", default: false, description: help("cli.help.option.yes") },
    json: { type: "boolean", default: false, description: help("cli.help.option.json_summary") },
  },
  async run({ args }) {
    if (!UUID.test(args.id))
      throw new Refusal(`${JSON.stringify(args.id)} is not an import id; svc-manage imports lists them`, 2);
    const importId = args.id.toLowerCase();
    const progress = openProgress();
    const { services, close } = await openCatalogue(openCommandConfig());
    let isStopping = false;
    const unlisten = onStopSignal(() => {
      isStopping = true;
      progress.clear();
      console.error("Stopping after this batch; press Ctrl-C again to stop at once");
    });
    const undo = async (dryRun: boolean) => {
      const summary = await undoImport(services, OPERATOR, importId, {
        dryRun,
        stopped: () => isStopping,
        progress: (done, total) => progress.show(done / total, dryRun ? "checking" : "undoing"),
      });
      progress.clear();
      return summary;
    };
    const print = (summary: UndoSummary, dryRun: boolean) =>
      console.log(args.json ? JSON.stringify({ dry_run: dryRun, ...summary }) : text(summary, dryRun));
    try {
      if (!args.yes || args["dry-run"]) {
        const summary = await undo(true);
        if (!summary.finished) return INTERRUPTED;
        print(summary, true);
        if (args["dry-run"]) return 0;
        if (summary.trashed + summary.restored === 0) return summary.left > 0 ? WITH_LEFT : 0;
        if (!isSomebodyThere())
          throw new Refusal(
            "Nothing was changed: there is no terminal to confirm this; add --yes to apply it without a question",
          );
        unlisten();
        const answer = await ask("Undo it? (yes/no) ");
        if (!/^y(es)?$/i.test(answer)) throw new Refusal("Nothing was changed");
      }
      const summary = await undo(false);
      print(summary, false);
      if (!summary.finished) {
        console.error("Interrupted: run the same command again to continue");
        return INTERRUPTED;
      }
      return summary.left > 0 ? WITH_LEFT : 0;
    } finally {
      unlisten();
      await close();
    }
  },
});

function text(summary: UndoSummary, dryRun: boolean): string {
  const { trashed, restored, links, done, gone, left, named } = summary;
  const would = dryRun ? "would be " : "";
  const lines = [
    ...(trashed > 0 ? [`${counted(trashed, "record")} that it created ${would}moved to the trash`] : []),
    ...(restored > 0 ? [`${counted(restored, "record")} that it changed ${would}restored`] : []),
    ...(links > 0 ? [`${counted(links, "link")} of these ${would}removed`] : []),
    ...(done > 0 ? [`${counted(done, "record")} had been undone before`] : []),
    ...(gone > 0 ? [`${counted(gone, "record")} that it created had been deleted by somebody`] : []),
  ];
  if (trashed + restored === 0) lines.unshift("Nothing to undo");
  if (left > 0) {
    lines.push(
      `${counted(left, "record")} ${dryRun ? "would be left" : "left"} as ${left === 1 ? "it is" : "they are"}:`,
    );
    for (const { record_type, idno, title, reason } of named.slice(0, NAMED))
      lines.push(
        `  ${record_type.replace("_", " ")} ${idno} ${JSON.stringify(title.slice(0, 60))}: ${reason}`,
      );
    const more = left - Math.min(named.length, NAMED);
    if (more > 0) lines.push(`  … and ${count(more)} more`);
  }
  if (dryRun) lines.push("Nothing was changed.");
  return lines.join("\n");
}
