/** The main function of svc-manage: finds the command, runs it, and reports failures in a sentence. */
import { type CommandDef, runCommand } from "citty";
import { isUnreachable } from "../src/http/requests.ts";
import { shortColumn } from "../src/imports/targets.ts";
import { nearest } from "../src/nearest.ts";
import { Problem } from "../src/problem.ts";
import { Refusal } from "../src/refusal.ts";
import { VERSION } from "../src/version.ts";
import { COMMANDS, PROGRAM } from "./commands.ts";
import { commandHelp, programHelp } from "./help.ts";

/** Runs a command in this process; returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  return run(words).catch((error) => reportError(error, words[0]));
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v") {
    console.log(VERSION);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const listed = Object.entries(COMMANDS).map(async ([each, load]) => {
      const { description } = (await load()).meta as { description: string };
      return [each, description] as const;
    });
    const about = `Runs and maintains a collections catalogue (version ${VERSION})`;
    const text = programHelp(PROGRAM, about, await Promise.all(listed));
    console[name === undefined ? "error" : "log"](text);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const near = nearest(name, Object.keys(COMMANDS));
    const hint = near ? `did you mean ${near}?` : `${PROGRAM} --help lists them`;
    throw new Refusal(`There is no command ${JSON.stringify(name)}; ${hint}`, 2);
  }
  const command = await load();
  if (args.includes("--help") || args.includes("-h")) {
    console.log(commandHelp(PROGRAM, command));
    return 0;
  }
  demandUnderstood(name, command, args);
  const { result } = await runCommand(command, { rawArgs: [...args] });
  return typeof result === "number" ? result : 0;
}

/** Refuses misspelt options, missing values and extra arguments: --dryrun must never import. */
function demandUnderstood(name: string, command: CommandDef, args: readonly string[]): void {
  const known = (command.args ?? {}) as Record<string, { type?: string }>;
  const more = `see ${PROGRAM} ${name} --help`;
  let places = Object.values(known).filter(({ type }) => type === "positional").length;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const option = /^--?([a-z][^=]*)(=.*)?$/is.exec(arg);
    if (!option) {
      if (arg === "--") return;
      places -= 1;
      if (places < 0) throw new Refusal(`${name} does not expect ${JSON.stringify(arg)}; ${more}`, 2);
      continue;
    }
    const [, typed = "", value] = option;
    const about = Object.hasOwn(known, typed) ? known[typed] : known[typed.replace(/^no-/, "")];
    if (!about || about.type === "positional" || !arg.startsWith("--")) {
      const near = nearest(
        typed,
        Object.keys(known).filter((each) => known[each]!.type !== "positional"),
      );
      throw new Refusal(
        `There is no option ${arg.split("=")[0]}; ${near ? `did you mean --${near}?` : more}`,
        2,
      );
    }
    if (about.type === "boolean") {
      if (value !== undefined) throw new Refusal(`--${typed} takes no value; ${more}`, 2);
      continue;
    }
    const next = value === undefined ? args[++at] : value.slice(1);
    if (!next || /^--?[a-z]/i.test(next)) throw new Refusal(`--${typed} needs a value; ${more}`, 2);
  }
}

/** Prints the error and returns the exit code. A Refusal is a sentence for the operator; anything else is a bug and printed with its stack. */
export function reportError(error: unknown, command = ""): number {
  if (error instanceof Refusal) {
    console.error(error.message);
    return error.exitCode;
  }
  if (error instanceof Problem) {
    const several = error.errors.length > 1;
    // the operator can repair this
    if (error.code === "unavailable" && error.cause instanceof Error) console.error(error.cause.message);
    console.error(several ? error.message.replace(/, listed in errors$/, ":") : error.message);
    if (several)
      for (const { pointer, detail } of error.errors)
        console.error(`  ${pointer ? `${shortColumn(pointer)}: ` : ""}${detail}`);
    return 1;
  }
  if (error instanceof Error && error.name === "CLIError") {
    console.error(
      `${error.message.replace("positional argument", "argument")}; see ${PROGRAM} ${command} --help`,
    );
    return 2;
  }
  console.error(error instanceof Error ? sentenceOf(error) : error);
  return 1;
}

function sentenceOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  const known = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|[0-9A-Z]{5}|UNAVAILABLE)$/.test(code);
  if (isUnreachable({ code })) return `The database cannot be reached (${error.message || code})`;
  if (known) return error.message || code;
  return isUnreachable(error) ? withCauses(error) : (error.stack ?? error.message);
}

/** The message, and those of its causes that it does not quote: "fetch failed" alone helps nobody. */
function withCauses(error: Error): string {
  const { message, cause } = error;
  const deeper =
    cause instanceof Error ? withCauses(cause) || String((cause as { code?: unknown }).code) : "";
  return message.includes(deeper) ? message : `${message}: ${deeper}`;
}
