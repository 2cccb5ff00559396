/** The description of a variable, and the functions with which `variables.ts` declares one. */
import type { Kind } from "./value-kinds.ts";

/** What a default may depend on: variables that are set or have a fixed default, and variables above it in the table. */
export type Known = {
  readonly container: boolean;
  isSet(name: string): boolean;
  value(name: string): unknown;
};

export type Variable<T> = {
  readonly kind: Kind<T>;
  /** The text that is used if the variable is not set; null if there is none. */
  readonly default: string | null;
  /** Makes a default that depends on other variables. */
  readonly make?: (known: Known) => T;
  /** The default in the documentation; Markdown. */
  readonly shownDefault: string;
  readonly secret: boolean;
  /** Whether an empty text differs from not being set, as for BACKUP_AT. */
  readonly emptyCounts: boolean;
  readonly meaning: string;
};
/** Variables that always have a value. */
export type Fixed<T> = Variable<T> & { readonly default: string };
export type Made<T> = Variable<T> & { readonly make: (known: Known) => T };

/** @param shownDefault what happens if it is not set */
export function optional<T>(kind: Kind<T>, meaning: string, shownDefault = ""): Variable<T> {
  return { kind, default: null, shownDefault, secret: false, emptyCounts: false, meaning };
}

export function fixed<T>(kind: Kind<T>, value: string, meaning: string): Fixed<T> {
  return { ...optional(kind, meaning, `\`${value}\``), default: value };
}

export function made<T>(
  kind: Kind<T>,
  shownDefault: string,
  make: (known: Known) => T,
  meaning: string,
): Made<T> {
  return { ...optional(kind, meaning, shownDefault), make };
}

/** In the default, `{NAME}` stands for the value of another variable. */
export function filled(kind: Kind<string>, template: string, meaning: string): Made<string> {
  const make = ({ value }: Known) =>
    template.replace(/\{(\w+)\}(\/?)/g, (_, name: string, slash: string) =>
      slash ? inDirectory(String(value(name)), "") : String(value(name)),
    );
  return made(kind, `\`${template}\``, make, meaning);
}

export function secret<T>(variable: Variable<T>): Variable<T> {
  return { ...variable, secret: true };
}

export const inDirectory = (directory: string, name: string): string =>
  directory.endsWith("/") ? directory + name : `${directory}/${name}`;
