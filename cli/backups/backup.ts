/** svc-manage backup [once | list | verify] (contract §8.7). */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { listBackups } from "../../src/adapters/backups/directory.ts";
import type { BackupNote } from "../../src/backups/store.ts";
import { logOf, openBackups } from "../../src/compose.ts";
import type { Config } from "../../src/config/read.ts";
import { said, sayAll } from "../../src/messages/said.ts";
import { ENGLISH } from "../../src/messages/translate.ts";
import type { DumpPiece } from "../../src/operator/backups.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Dump } from "../../src/services.ts";
import { makeNoted } from "../../workers/back-up.ts";
import { type Door, knock, withDoor } from "../catalogue/door.ts";
import { openCommandConfig } from "../catalogue/open.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { demandOneOf } from "../terminal/one-of.ts";
import { argument, flag, meta, option } from "../terminal/options.ts";
import { print, printAside } from "../terminal/words.ts";
import { backupPath, newestDump, size } from "./paths.ts";
import { verifyBackup } from "./verify.ts";

const ACTIONS = ["once", "list", "verify"];

export const backupCommand = defineCommand({
  meta: meta("backup", "cli.help.backup.about"),
  args: {
    action: { ...argument("cli.help.backup.action"), required: false },
    file: { ...argument("cli.help.backup.file"), required: false },
    "backup-dir": option("PATH", "cli.help.backup.backup_dir"),
    json: flag("cli.help.option.json"),
  },
  async run({ args }) {
    const action = args.action ?? "once";
    demandOneOf(action, ACTIONS, (known) => said("cli.backup.no_action", { action, known }));
    if (args.file !== undefined && action !== "verify") {
      throw new Refusal(said("cli.backup.only_verify"), 2);
    }
    const config = openCommandConfig();
    const directory = args["backup-dir"] ?? config.backupRoot;
    if (action === "list") return list(directory, args.json);
    if (action === "once") return once(config, args["backup-dir"], args.json);
    const path = args.file ? await backupPath(args.file, directory) : await newestDump(directory);
    return verifyBackup(config, path, args.json);
  },
});

async function once(config: Config, directory: string | undefined, json: boolean): Promise<number> {
  return withDoor(knock(config), async (door, progress) => {
    const maker = {
      config,
      log: logOf(config, process.stderr.isTTY),
      backups: await openBackups(config, dumpThrough(door)),
      note: (note: BackupNote) => door.call("note-backup", note),
    };
    const made = await interruptible(said("cli.backup.interrupted"), (signal) =>
      makeNoted(maker, {
        directory,
        signal,
        report: (doing, part) =>
          progress.show(part, said(doing === "database" ? "cli.progress.database" : "cli.progress.media")),
      }),
    );
    progress.clear();
    if (json) console.log(JSON.stringify(sayAll(ENGLISH, made)));
    else {
      for (const file of [made.database, made.media])
        if (file) console.log(`${file.path}  ${size(file.bytes)}`);
      for (const note of made.notes) printAside(note);
      if (made.removed.length > 0) print(said("cli.backup.deleted", { files: made.removed.join(", ") }));
    }
    return 0;
  });
}

/** The process that has the catalogue open makes the dump. This process writes the files, as this user. */
export function dumpThrough(door: Pick<Door, "call">): Dump {
  return async (sink, { signal, report } = {}) => {
    const pieces: number[] = [];
    const onEvent = async ({ text, outdated, part }: DumpPiece) => {
      for (const piece of outdated) sink.drop(pieces[piece]!);
      pieces.push(await sink.put(text));
      report?.(part);
    };
    await door.call("dump-database", {}, { onEvent, signal });
  };
}

async function list(directory: string, json: boolean): Promise<number> {
  if (!existsSync(directory)) {
    throw new Refusal(said("cli.backup.no_directory", { directory: resolve(directory) }));
  }
  const backups = await listBackups(directory);
  if (json) console.log(JSON.stringify(backups));
  else if (backups.length === 0) print(said("cli.backup.none", { directory: resolve(directory) }));
  else {
    console.log(resolve(directory));
    for (const { name, bytes } of backups) console.log(`${size(bytes).padStart(10)}  ${name}`);
  }
  return 0;
}
