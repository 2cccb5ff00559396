/** svc-manage import-undo ID: undoes a whole import. */
import { defineCommand } from "citty";
import { UUID } from "../../src/ids.ts";
import { brief } from "../../src/imports/mapping/targets.ts";
import { andMore, item } from "../../src/imports/report/counts.ts";
import type { UndoSummary } from "../../src/imports/undo/undo.ts";
import { type Said, said, sayAll } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import { Refusal } from "../../src/refusal.ts";
import { knock, withDoor } from "../catalogue/door.ts";
import { followStoppable, showJob } from "../catalogue/follow-job.ts";
import { argument, flag, meta } from "../terminal/options.ts";
import { demandYes } from "../terminal/question.ts";
import { INTERRUPTED } from "../terminal/stop-signals.ts";
import { inWords, printAside } from "../terminal/words.ts";

/** Exit code if some records were not undone. */
const WITH_LEFT = 3;
/** The most records that are listed on the terminal. */
const NAMED = 30;

export const importUndo = defineCommand({
  meta: meta("import-undo", "cli.help.import_undo.about"),
  args: {
    id: argument("cli.help.import_undo.id"),
    "dry-run": flag("cli.help.option.dry_run"),
    yes: flag("cli.help.option.yes"),
    json: flag("cli.help.option.json_summary"),
  },
  async run({ args }) {
    if (!UUID.test(args.id)) throw new Refusal(said("cli.undo.no_id", { id: brief(args.id) }), 2);
    const id = args.id.toLowerCase();
    return withDoor(knock(), async (door, progress) => {
      const undo = async (dryRun: boolean): Promise<UndoSummary> => {
        const { job, throwFailure } = await followStoppable(door, {
          queue: (here) => door.call("import-undo", { id, dry_run: dryRun, here }),
          onState: (job) => showJob(progress, job, said(dryRun ? "cli.undo.checking" : "cli.undo.undoing")),
          onStop() {
            progress.clear();
            printAside(said("cli.import.stopping"));
          },
        });
        progress.clear();
        const summary = await door.call("undo-outcome", { id: job.id });
        return summary ?? (job.state === "cancelled" ? notBegun(id) : throwFailure());
      };
      const print = (summary: UndoSummary, dryRun: boolean) =>
        console.log(
          args.json
            ? JSON.stringify(sayAll(ENGLISH, { dry_run: dryRun, ...summary }))
            : lines(summary, dryRun).map(inWords).join("\n"),
        );
      if (!args.yes || args["dry-run"]) {
        const summary = await undo(true);
        if (!summary.finished) return INTERRUPTED;
        print(summary, true);
        if (args["dry-run"]) return 0;
        if (summary.trashed + summary.restored === 0) return summary.left > 0 ? WITH_LEFT : 0;
        await demandYes(said("cli.undo.ask"));
      }
      const summary = await undo(false);
      print(summary, false);
      if (!summary.finished) {
        printAside(said("cli.import.interrupted"));
        return INTERRUPTED;
      }
      return summary.left > 0 ? WITH_LEFT : 0;
    });
  },
});

/** The summary of a job that was cancelled before its first record. */
const notBegun = (importId: string): UndoSummary => ({
  ...{ importId, finished: false, trashed: 0, restored: 0, links: 0, done: 0, gone: 0, left: 0 },
  named: [],
  undone: { trashed: [], restored: [] },
});

function lines(summary: UndoSummary, dryRun: boolean): Said[] {
  const { trashed, restored, links, done, gone, left, named } = summary;
  const dry = dryRun ? "yes" : "no";
  const records = (count: number) => ({ count, dry });
  const all = [
    ...(trashed + restored === 0 ? [said("cli.undo.nothing")] : []),
    ...(trashed > 0 ? [said("cli.undo.trashed", records(trashed))] : []),
    ...(restored > 0 ? [said("cli.undo.restored", records(restored))] : []),
    ...(links > 0 ? [said("cli.undo.links", { count: links, dry })] : []),
    ...(done > 0 ? [said("cli.undo.done_before", records(done))] : []),
    ...(gone > 0 ? [said("cli.undo.gone", records(gone))] : []),
  ];
  if (left > 0) {
    all.push(said("cli.undo.left", records(left)));
    for (const { record_type, idno, title, reason } of named.slice(0, NAMED)) {
      const kind = said(`kind.one.${record_type}`);
      all.push(item("cli.undo.left_record", { kind, number: idno, title: brief(title), reason }));
    }
    all.push(...andMore(left, Math.min(named.length, NAMED)));
  }
  if (dryRun) all.push(said("cli.undo.dry"));
  return all;
}
