/** What the commands say of themselves. */
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

/** Copied from the files of the commands by tests/support/docs/write-command-docs.ts: help loads none of those files. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = descriptions;
