/** Completion scripts for shells, made from the descriptions of the commands, in the language of the terminal. */
import { toldFrom } from "../../src/messages/said.ts";
import { DESCRIPTIONS, PROGRAM } from "../descriptions.ts";
import { inWords } from "./words.ts";

type Option = { name: string; about: string; takesValue: boolean; choices: readonly string[] };
type Command = { name: string; about: string; options: readonly Option[] };

const HELP: Option = { name: "--help", about: "", takesValue: false, choices: [] };

export const COMPLETIONS = { bash, zsh, fish };

/** Arguments, and option values that are not listed, are completed with file names. */
function bash(): string {
  const all = commands();
  const values = all.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => `    '${name} ${option.name}') words='${option.choices.join(" ")}' ;;`),
  );
  const names = all.map(
    ({ name, options }) => `    '${name} '*) words='${options.map(({ name }) => name).join(" ")}' ;;`,
  );
  return `_svc_manage() {
  local word=\${COMP_WORDS[COMP_CWORD]} words=
  COMPREPLY=()
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]##*/}" in
    *' ${PROGRAM}') words='${all.map(({ name }) => name).join(" ")} --help --version' ;;
${values.join("\n")}
    *) [[ $word == -* ]] && case "\${COMP_WORDS[1]} " in
${names.join("\n").replaceAll(/^/gm, "  ")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _svc_manage ${PROGRAM}`;
}

function zsh(): string {
  const spec = ({ name, about, takesValue, choices }: Option) => {
    const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(" ")})` : "_files"}` : "";
    return quoted(`${name}[${about.replaceAll(/[\][:\\]/g, "\\$&")}]${value}`);
  };
  const all = commands();
  const cases = all.map(
    ({ name, options }) => `    ${name}) _arguments ${options.map(spec).join(" ")} '*:file:_files' ;;`,
  );
  return `#compdef ${PROGRAM}
_svc_manage() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${all.map(({ name, about }) => `      ${quoted(`${name}:${about.replaceAll(/[:\\]/g, "\\$&")}`)}`).join("\n")}
    )
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join("\n")}
  esac
}
if [[ $funcstack[1] == _svc_manage ]]; then _svc_manage "$@"; else compdef _svc_manage ${PROGRAM}; fi`;
}

function fish(): string {
  const text = (about: string) => `'${about.replaceAll(/['\\]/g, "\\$&")}'`;
  const option = (command: string, { name, about, takesValue, choices }: Option) => {
    const value = choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : takesValue ? " -r" : "";
    return `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from ${command}' -l ${name.slice(2)}${value} -d ${text(about)}`;
  };
  return commands()
    .flatMap(({ name, about, options }) => [
      `complete -c ${PROGRAM} -n __fish_use_subcommand -f -a ${name} -d ${text(about)}`,
      ...options.map((each) => option(name, each)),
    ])
    .join("\n");
}

function commands(): Command[] {
  return Object.entries(DESCRIPTIONS).map(([name, { meta, args = {} }]) => {
    const options = Object.entries(args)
      .filter(([, { type }]) => type !== "positional")
      .map(([option, { type, description, valueHint, default: preset }]) => ({
        // an option that is on by default is offered in the form that turns it off
        name: `--${preset === true ? "no-" : ""}${option}`,
        about: firstLine(description),
        takesValue: type !== "boolean",
        choices: valueHint?.includes("|") ? valueHint.split("|") : [],
      }));
    return { name, about: firstLine(meta.description), options: [...options, HELP] };
  });
}

const firstLine = (text = ""): string => inWords(toldFrom(text)).split("\n")[0]!;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
