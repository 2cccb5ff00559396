/** What is said about one variable, and the words in which `variables.ts` says it. */
import type { Kind } from "./value-kinds.ts";

/** What a default may depend on: the variables that are set or have a fixed default, and those above it in the table. */
export type Known = {
  readonly container: boolean;
  isSet(name: string): boolean;
  value(name: string): unknown;
};

export type Variable<T> = {
  readonly kind: Kind<T>;
  /** The text that is read when the variable is not set; null when there is none. */
  readonly default: string | null;
  /** Makes the default that depends on others. */
  readonly make?: (known: Known) => T;
  /** What the documentation shows as the default; Markdown. */
  readonly shownDefault: string;
  readonly secret: boolean;
  /** Whether set-but-empty differs from not set, as for BACKUP_AT. */
  readonly emptyCounts: boolean;
  readonly meaning: string;
};
/** Variables that always have a value. */
export type Fixed<T> = Variable<T> & { readonly default: string };
export type Made<T> = Variable<T> & { readonly make: (known: Known) => T };

/** `shownDefault`: what happens when it is not set. */
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

/** The default is a text in which `{NAME}` stands for the value of another variable. */
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
