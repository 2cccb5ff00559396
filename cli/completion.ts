/** svc-manage completion SHELL: prints a script that makes the shell complete commands and options. */
import { defineCommand } from "citty";
import { said } from "../src/messages/said.ts";
import { Refusal } from "../src/refusal.ts";
import { COMPLETIONS } from "./terminal/completion.ts";
import { help } from "./terminal/words.ts";

const SHELLS = Object.keys(COMPLETIONS);

export const completionCommand = defineCommand({
  meta: { name: "completion", description: help("cli.help.completion.about") },
  args: {
    shell: { type: "positional", required: true, description: help("cli.help.completion.shell") },
  },
  run({ args: { shell } }) {
    if (!Object.hasOwn(COMPLETIONS, shell)) {
      const about = { option: "SHELL", known: SHELLS.join(", "), value: shell };
      throw new Refusal(said("cli.usage.one_of", about), 2);
    }
    console.log(COMPLETIONS[shell as keyof typeof COMPLETIONS]());
  },
});
