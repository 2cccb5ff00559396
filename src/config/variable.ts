/** What is said about one variable, and the words in which `variables.ts` says it. */
import type { Kind } from "./value-kinds.ts";

export type Variable<T> = {
  readonly kind: Kind<T>;
  /** The text that is read when the variable is not set; null when there is none or it depends on others. */
  readonly default: string | null;
  /** What the documentation shows as the default; Markdown. */
  readonly shownDefault: string;
  readonly secret: boolean;
  /** Whether set-but-empty differs from not set, as for BACKUP_AT. */
  readonly emptyCounts: boolean;
  readonly meaning: string;
};
/** A variable that always has a value. */
export type Fixed<T> = Variable<T> & { readonly default: string };

export function fixed<T>(kind: Kind<T>, value: string, meaning: string): Fixed<T> {
  return { kind, default: value, shownDefault: `\`${value}\``, secret: false, emptyCounts: false, meaning };
}

export function optional<T>(kind: Kind<T>, meaning: string): Variable<T> {
  return { kind, default: null, shownDefault: "", secret: false, emptyCounts: false, meaning };
}

export function derived<T>(kind: Kind<T>, shownDefault: string, meaning: string): Variable<T> {
  return { ...optional(kind, meaning), shownDefault };
}

export function secret<T>(variable: Variable<T>): Variable<T> {
  return { ...variable, secret: true };
}
