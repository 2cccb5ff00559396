/** svc-manage import FILE --all: loads the file of `svc-manage export --all` into an empty installation. */

import { stat } from "node:fs/promises";
import { defineCommand } from "citty";
import type { SignIn } from "../../src/exports/account-load.ts";
import { isUnreachable } from "../../src/http/requests.ts";
import { type Said, said } from "../../src/messages/said.ts";
import type { Indexing } from "../../src/operator/exports.ts";
import { Refusal } from "../../src/refusal.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { cannotRead, openCommandConfig, openServices } from "../catalogue/open.ts";
import { contentOf, lookThrough } from "../exports/file.ts";
import { argument, flag, meta } from "../terminal/options.ts";
import { openProgress, type Progress } from "../terminal/progress.ts";
import { inWords } from "../terminal/words.ts";

export const importCommand = defineCommand({
  meta: meta("import", "cli.help.import.about"),
  args: {
    file: argument("cli.help.import.file"),
    all: flag("cli.help.import.all"),
    json: flag("cli.help.option.json_summary"),
  },
  async run({ args }) {
    if (!args.all) throw new Refusal(said("cli.load.add_all"), 2);
    const about = await stat(args.file).catch(cannotRead(args.file));
    const progress = openProgress();
    const shown = (what: Said) => (bytes: number) => progress.show(Math.min(1, bytes / about.size), what);
    try {
      const header = await lookThrough(args.file, shown(said("cli.load.checking")));
      const content = () => contentOf(args.file, shown(said("cli.load.importing")));
      const { counts, signIn } = await withDoor(knock(openCommandConfig(), openServices), (door) =>
        load(door, content(), progress),
      );
      progress.clear();
      if (args.json)
        console.log(
          JSON.stringify({ file: args.file, made_at: header.made_at, rows: counts, ...signInJson(signIn) }),
        );
      else console.log([summary(counts), ...passwords(signIn).map(inWords)].join("\n"));
      return 0;
    } finally {
      progress.clear();
    }
  },
});

async function load(door: Door, content: ReadableStream<Uint8Array>, progress: Progress) {
  let isLoaded = false;
  const onEvent = ({ left, total }: Indexing) => {
    isLoaded = true;
    progress.show(total === 0 ? 1 : 1 - Math.min(1, left / total), said("cli.load.indexing"));
  };
  return door.call("import-all", {}, { content, onEvent }).catch((error: unknown) => {
    if (isLoaded || !isUnreachable(error)) throw error;
    throw new Refusal(said("cli.load.database_gone", { reason: (error as Error).message }));
  });
}

function summary(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `  ${kind.replaceAll("_", " ").padEnd(14)} ${n}`);
  return [inWords(said("cli.load.imported")), ...words].join("\n");
}

const signInJson = ({ without, able }: SignIn) => ({ without_password: without, administrators_able: able });

/** What must be done before people can sign in. */
function passwords({ without, administrators, able }: SignIn): Said[] {
  if (without === 0) return [];
  const who = able > 0 ? "able" : administrators > 0 ? "unable" : "none";
  return [said("cli.load.without_password", { count: without, who })];
}
