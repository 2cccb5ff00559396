/** Names that the installation gives to its fields, subtypes and terms, where their language cannot be told. */
import { labelText } from "./texts.ts";

export const labelIn = (...args: Parameters<typeof labelText>): string => labelText(...args).value;
