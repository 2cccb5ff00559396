/** The commands as Markdown, made from their own descriptions, for docs/command-line.md. */
import { COMMANDS } from "../../../cli/commands.ts";
import { type Argument, type Description, PROGRAM } from "../../../cli/descriptions.ts";
import { say, toldFrom } from "../../../src/messages/said.ts";
import { ENGLISH } from "../../../src/messages/translate.ts";

export const JSON_FILE = new URL("../../../cli/descriptions.json", import.meta.url);
export const PAGE = new URL("../../../docs/command-line.md", import.meta.url);
export const REGENERATE = "run: node --import tsx tests/support/docs/write-command-docs.ts";

/** What the files of the commands say, for cli/descriptions.json. */
export async function descriptions(): Promise<Record<string, Description>> {
  const all = Object.entries(COMMANDS).map(async ([name, load]) => {
    const { meta, args } = (await load()) as Description;
    return [name, { meta, args }] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

export function commandPages(all: Record<string, Description>): string {
  return Object.values(all).map(page).join("\n\n");
}

const english = (text: string): string => say(ENGLISH, toldFrom(text));

function page({ meta: { name, description }, args: known = {} }: Description): string {
  const [first, ...more] = english(description).split("\n");
  const args = Object.entries(known);
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

function shown([name, { type, valueHint, default: preset }]: [string, Argument]): string {
  if (type === "positional") return name.toUpperCase();
  // a default of true is switched off, and described in that way
  if (type === "boolean" && preset === true) return `--no-${name}`;
  return `--${name}${type === "boolean" ? "" : ` ${valueHint ?? "VALUE"}`}`.replaceAll("|", "\\|");
}

function meaning({ description = "", required, default: preset }: Argument): string {
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
