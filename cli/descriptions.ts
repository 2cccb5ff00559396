/** The names, descriptions and arguments of the commands. */
import descriptions from "./descriptions.json" with { type: "json" };

export const PROGRAM = "svc-manage";

export type Argument = {
  type?: string;
  description?: string;
  valueHint?: string;
  required?: boolean;
  default?: unknown;
};
export type Description = { meta: { name: string; description: string }; args?: Record<string, Argument> };

/** tests/support/docs/write-command-docs.ts copies these from the command files, so that help need not load them. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = descriptions;
