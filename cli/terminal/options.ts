/** Describes a command and its options, for the help and for the parser. */
import type { SaidValues } from "../../src/messages/said.ts";
import type { MessageKey } from "../../src/messages/translate.ts";
import { help } from "./words.ts";

export const meta = (name: string, about: MessageKey, values?: SaidValues) => {
  return { name, description: help(about, values) };
};

/** A required positional argument. */
export const argument = (about: MessageKey) => {
  return { type: "positional", required: true, description: help(about) } as const;
};

export const option = (valueHint: string, about: MessageKey, values?: SaidValues) => {
  return { type: "string", valueHint, description: help(about, values) } as const;
};

export const flag = (about: MessageKey) => {
  return { type: "boolean", default: false, description: help(about) } as const;
};
