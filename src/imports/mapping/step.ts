/** The steps of a transform. */
import type { Said } from "../../messages/said.ts";
import type { WrittenDate } from "../../records/dates/readings.ts";

/** A date as written, and in EDTF if it can be read. `lang`: the language of the words, if known. */
export type ReadDate = { text: string; edtf?: string; lang?: string };

/** What a transform may read from its row, and where it reports faults and values that it leaves out. */
export type RowContext = {
  read(column: string): string;
  /** Counts work in characters read. Throws if it is too much for a row. */
  spend(characters: number): void;
  fault(detail: Said): void;
  /** The field that takes the wording of dates. */
  wording?: string | undefined;
  unread(value: string): void;
  /** A date in words. */
  dated(date: ReadDate): void;
  /** A date that can be read in more than one way. */
  doubted(date: WrittenDate): void;
  /** Words that mean "not dated". */
  undated(value: string): void;
  unmatched(value: string): void;
};

/** Turns values into values: possibly more (`split`) or fewer (a pattern that does not match). */
export type Step = (values: readonly string[], row: RowContext) => string[];
