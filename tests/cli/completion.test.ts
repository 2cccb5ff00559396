import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DESCRIPTIONS } from "../../cli/descriptions.ts";
import { main } from "../../cli/main.ts";
import { COMPLETIONS } from "../../cli/terminal/completion.ts";

const run = promisify(execFile);
const isThere = (program: string): Promise<boolean> =>
  run(program, ["-c", "exit"]).then(
    () => true,
    () => false,
  );

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-completion-"));
  for (const [shell, script] of Object.entries(COMPLETIONS))
    await writeFile(join(directory, shell), script());
});
afterAll(() => rm(directory, { recursive: true }));

/** What the shell offers for the last word of the line. Where that comes in parts, it ends with `last`. */
type Offers = (line: string, last: string) => Promise<string[]>;

const inBash: Offers = async (line) => {
  const words = line.split(" ");
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc_manage; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", script, "bash", join(directory, "bash"), ...words]);
  return stdout.trim().split("\n");
};

const inFish: Offers = async (line) => {
  const script = `source ${join(directory, "fish")}; complete --do-complete '${line}'`;
  const { stdout } = await run("fish", ["--no-config", "-c", script], { cwd: directory });
  return stdout
    .trim()
    .split("\n")
    .map((each) => each.split("\t")[0]!);
};

/** zsh completes only at a terminal, so it gets one. What it lists is the answer. */
const inZsh: Offers = async (line, last) => {
  const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -u -D; source ${join(directory, "zsh")}; LISTMAX=1000; setopt noautomenu nolistbeep; stty cols 200 rows 300 -echo; print be""gin'
zpty -r shell seen '*begin*'
zpty -w -n shell $'${line}\\t\\t'
zpty -r shell list '*${last}*'
zpty -w -n shell $'\\C-uprint the""end\\n'
zpty -r shell seen '*theend*'
print -r -- $list $seen
zpty -d shell`;
  const { stdout } = await run("zsh", ["-f", "-c", script], { cwd: directory });
  return stripVTControlCharacters(stdout).split(/\s+/);
};

describe.each([
  ["bash", inBash],
  ["fish", inFish],
  ["zsh", inZsh],
] as const)("completion in %s", async (shell, offers) => {
  const there = await isThere(shell);

  it.skipIf(!there)("offers every command", async () => {
    const commands = await offers("svc-manage ", "work");
    expect(commands).toEqual(expect.arrayContaining(Object.keys(DESCRIPTIONS)));
  });

  it.skipIf(!there)("offers the options of a command, and the values that one takes", async () => {
    const options = await offers("svc-manage import-csv --", "--upsert-strategy");
    expect(options).toEqual(expect.arrayContaining(["--dry-run", "--mapping", "--help"]));
    expect(options).not.toContain("--enable");
    expect(await offers("svc-manage db-reset --no", "--no-backup")).toContain("--no-backup");
    const values = await offers("svc-manage import-csv --upsert-strategy ", "skip");
    expect(values).toEqual(expect.arrayContaining(["skip", "merge", "replace", "link"]));
  });
});

it("is refused for another shell", async () => {
  await expect(main(["completion", "tcsh"])).resolves.toBe(2);
});
