/** The commands as Markdown, made from their own descriptions, for docs/command-line.md. */
import type { CommandDef } from "citty";
import { COMMANDS, PROGRAM } from "../../../cli/commands.ts";
import { say, toldFrom } from "../../../src/messages/said.ts";
import { ENGLISH } from "../../../src/messages/translate.ts";

export const PAGE = new URL("../../../docs/command-line.md", import.meta.url);
export const REGENERATE = "run: node --import tsx tests/support/docs/write-command-docs.ts";

type Arg = { type?: string; description?: string; valueHint?: string; required?: boolean; default?: unknown };

export async function commandPages(): Promise<string> {
  const pages = Object.entries(COMMANDS).map(async ([name, load]) => page(name, await load()));
  return (await Promise.all(pages)).join("\n\n");
}

const english = (text: string): string => say(ENGLISH, toldFrom(text));

function page(name: string, command: CommandDef): string {
  const { description } = command.meta as { description: string };
  const [first, ...more] = english(description).split("\n");
  const args = Object.entries((command.args ?? {}) as Record<string, Arg>);
  const required = args.filter(([, { required }]) => required).map(shown);
  const usage = [PROGRAM, name, ...required, ...(args.length > required.length ? ["[options]"] : [])].join(
    " ",
  );
  const rows = args.map((arg) => `| \`${shown(arg)}\` | ${escaped(meaning(arg[1]))} |`);
  return [
    `### ${name}`,
    "",
    `${first}.`,
    "",
    "```sh",
    usage,
    "```",
    ...paragraphs(more),
    ...(rows.length > 0 ? ["", "| Argument | Meaning |", "|---|---|", ...rows] : []),
  ].join("\n");
}

/** Joins lines that were broken for a terminal. */
function paragraphs(lines: readonly string[]): string[] {
  const text = lines.join("\n").trim();
  return text === ""
    ? []
    : [
        "",
        ...text
          .split("\n\n")
          .flatMap((each, n) => [...(n ? [""] : []), ...(isTable(each) ? fenced(each) : [joined(each)])]),
      ];
}

/** Lines with aligned columns, which would be unreadable if joined. */
const isTable = (text: string): boolean => text.split("\n").every((line) => / {2,}\S/.test(line));

const fenced = (text: string): string[] => ["```text", ...text.split("\n"), "```"];

const joined = (text: string): string => escaped(text.replaceAll("\n", " "));

function shown([name, { type, valueHint, default: preset }]: [string, Arg]): string {
  if (type === "positional") return name.toUpperCase();
  // a default of true is switched off, and described in that way
  if (type === "boolean" && preset === true) return `--no-${name}`;
  return `--${name}${type === "boolean" ? "" : ` ${valueHint ?? "VALUE"}`}`.replaceAll("|", "\\|");
}

function meaning({ description = "", required, default: preset }: Arg): string {
  const note = required
    ? " (required)"
    : preset === undefined || typeof preset === "boolean"
      ? ""
      : ` (default: ${preset})`;
  return english(description) + note;
}

/** Escapes what Markdown would read as markup. */
const escaped = (text: string): string =>
  text
    .replaceAll("|", "\\|")
    .replaceAll(/[<>*]/g, "\\$&")
    .replaceAll(/__\w+__/g, "`$&`");
