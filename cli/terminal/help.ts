/** The help of a command, as plain text in the width and the language of the terminal. */
import { said, type Told, toldFrom } from "../../src/messages/said.ts";
import type { Argument, Description } from "../descriptions.ts";
import { inWords } from "./words.ts";

/** The whole description of a command. The list of all commands shows only its first line. */
export function commandHelp(
  program: string,
  { meta: { name, description }, args: known = {} }: Description,
): string {
  const args = Object.entries(known);
  const shown = ([arg, about]: [string, Argument]) =>
    about.type === "positional"
      ? arg.toUpperCase()
      : `--${about.default === true ? "no-" : ""}${arg}${about.type === "boolean" ? "" : ` ${about.valueHint ?? "VALUE"}`}`;
  const required = args.filter(([, about]) => about.required).map(shown);
  const optional = args.filter(([, about]) => !about.required);
  const places = optional.filter(([, { type }]) => type === "positional").map((arg) => `[${shown(arg)}]`);
  const options = optional.length > places.length ? [OPTIONS] : [];
  const [first, ...more] = inWords(toldFrom(description)).split("\n");
  const rows = args.map((arg) => [shown(arg), described(arg[1])] as const);
  return [
    usage(program, name, ...required, ...places, ...options),
    "",
    first,
    ...more.flatMap((line) => (isAligned(line) ? [line] : wrapped(line, WIDTH))),
    ...(rows.length > 0 ? ["", ...columns(rows)] : []),
  ].join("\n");
}

export function programHelp(program: string, about: Told, commands: readonly Description[]): string {
  const rows = commands.map(
    ({ meta: { name, description } }) => [name, inWords(toldFrom(description)).split("\n")[0]!] as const,
  );
  return [
    usage(program, said("cli.help.command"), OPTIONS),
    "",
    inWords(about),
    "",
    ...columns(rows),
    "",
    inWords(said("cli.help.explains", { program })),
  ].join("\n");
}

function described({ description = "", required, default: preset }: Argument): string {
  const meaning = toldFrom(description);
  if (required) return inWords(said("cli.help.required", { meaning }));
  if (preset === undefined || typeof preset === "boolean") return inWords(meaning);
  return inWords(said("cli.help.default", { meaning, preset: String(preset) }));
}

/** Columns of the terminal, within limits. */
const WIDTH = Math.max(60, Math.min(process.stdout.columns ?? 100, 110));
const OPTIONS = said("cli.help.options");

const usage = (...parts: readonly Told[]): string =>
  inWords(said("cli.help.usage", { usage: parts.map(inWords).join(" ") }));

/** Whether the line belongs to a table, which must not be wrapped. */
const isAligned = (line: string): boolean => / {2,}\S/.test(line);

/** Two columns: names, and texts wrapped to the width. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(34, Math.max(...rows.map(([name]) => name.length)));
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, WIDTH - left - 4);
    const head = name.length > left ? [`  ${name}`] : [];
    if (head.length === 0) head.push(`  ${name.padEnd(left)}  ${lines.shift() ?? ""}`.trimEnd());
    return [...head, ...lines.map((line) => `${" ".repeat(left + 4)}${line}`)];
  });
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
