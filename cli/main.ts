/** The main function of svc-manage: finds the command, runs it, and reports errors. */
import { VERSION } from "../src/config/version.ts";
import { isUnreachable } from "../src/http/requests.ts";
import { shortColumn } from "../src/imports/mapping/targets.ts";
import { type Said, said } from "../src/messages/said.ts";
import { Problem } from "../src/problem.ts";
import { Refusal } from "../src/refusal.ts";
import { nearest, withNear } from "../src/text/nearest.ts";
import { COMMANDS } from "./commands.ts";
import { type Argument, DESCRIPTIONS, PROGRAM } from "./descriptions.ts";
import { commandHelp, programHelp } from "./terminal/help.ts";
import { inWords, printAside } from "./terminal/words.ts";

export async function main(words: readonly string[]): Promise<number> {
  return run(words).catch(reportError);
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === "--version" || name === "-v") {
    console.log(VERSION);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const text = programHelp(PROGRAM, said("cli.about", { version: VERSION }), Object.values(DESCRIPTIONS));
    console[name === undefined ? "error" : "log"](text);
    return name === undefined ? 2 : 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const near = nearest(name, Object.keys(COMMANDS));
    const fault = said("cli.usage.no_command", { command: name });
    throw new Refusal(near ? withNear(fault, near) : said("cli.usage.lists", { fault, program: PROGRAM }), 2);
  }
  const about = DESCRIPTIONS[name]!;
  if (args.includes("--help") || args.includes("-h")) {
    console.log(commandHelp(PROGRAM, about));
    return 0;
  }
  demandValidArguments(name, about.args ?? {}, args);
  // prepares Zod, which in a bundle must run before the schemas are defined
  await import("../src/http/faults.ts");
  const { runCommand } = await import("citty");
  const { result } = await runCommand(await load(), { rawArgs: [...args] });
  return typeof result === "number" ? result : 0;
}

/** Refuses misspelt options, missing values, and extra or missing arguments. A mistyped --dryrun must not import. */
function demandValidArguments(name: string, known: Record<string, Argument>, args: readonly string[]): void {
  const see = (fault: Said) =>
    new Refusal(said("cli.usage.see", { fault, program: PROGRAM, command: name }), 2);
  const places = Object.keys(known).filter((each) => known[each]!.type === "positional");
  const given = new Set<string>();
  let [filled, isOptions] = [0, true];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const option = isOptions ? /^--?([a-z][^=]*)(=.*)?$/is.exec(arg) : null;
    if (!option) {
      if (isOptions && arg === "--") isOptions = false;
      else if (filled === places.length)
        throw see(said("cli.usage.unexpected", { command: name, word: arg }));
      else given.add(places[filled++]!);
      continue;
    }
    const [, typed = "", value] = option;
    const about = Object.hasOwn(known, typed) ? known[typed] : known[typed.replace(/^no-/, "")];
    if (!about || about.type === "positional" || !arg.startsWith("--")) {
      const near = nearest(
        typed,
        Object.keys(known).filter((each) => known[each]!.type !== "positional"),
      );
      const fault = said("cli.usage.no_option", { option: arg.split("=")[0]! });
      throw near ? new Refusal(withNear(fault, `--${near}`), 2) : see(fault);
    }
    given.add(typed);
    if (about.type === "boolean") {
      if (value !== undefined) throw see(said("cli.usage.takes_no_value", { option: `--${typed}` }));
      continue;
    }
    const next = value === undefined ? args[++at] : value.slice(1);
    if (!next || /^--?[a-z]/i.test(next)) throw see(said("cli.usage.needs_value", { option: `--${typed}` }));
  }
  const missing = Object.keys(known).find((each) => known[each]!.required && !given.has(each));
  if (missing === undefined) return;
  const argument = places.includes(missing) ? missing.toUpperCase() : `--${missing}`;
  throw see(said("cli.usage.missing", { argument }));
}

/** Prints the error and returns the exit code. Anything but a Refusal or Problem is a bug, and printed with its stack. */
export function reportError(error: unknown): number {
  if (error instanceof Refusal) {
    printAside(error.told);
    return error.exitCode;
  }
  if (error instanceof Problem) {
    const { errors, told, cause } = error;
    // the operator can repair the cause
    if (error.code === "unavailable" && cause instanceof Error)
      printAside(cause instanceof Refusal ? cause.told : cause.message);
    printAside(told);
    if (errors.length > 1)
      for (const { pointer, detail } of errors)
        console.error(`  ${pointer ? `${shortColumn(pointer)}: ` : ""}${inWords(detail)}`);
    return 1;
  }
  console.error(error instanceof Error ? sentenceOf(error) : error);
  return 1;
}

function sentenceOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  const known = /^(E[A-Z]+|CONNECT_TIMEOUT|CONNECTION_\w+|[0-9A-Z]{5}|UNAVAILABLE)$/.test(code);
  if (isUnreachable({ code })) return inWords(said("cli.unreachable", { reason: error.message || code }));
  if (known) return error.message || code;
  return isUnreachable(error) ? withCauses(error) : (error.stack ?? error.message);
}

/** The message with the messages of its causes: "fetch failed" alone helps nobody. */
function withCauses(error: Error): string {
  const { message, cause } = error;
  const deeper =
    cause instanceof Error ? withCauses(cause) || String((cause as { code?: unknown }).code) : "";
  return message.includes(deeper) ? message : `${message}: ${deeper}`;
}
