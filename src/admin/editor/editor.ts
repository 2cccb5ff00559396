/** What the page on which a record is edited is made from. */
import type { FaultJson } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Field, Schema } from "../../records/schema.ts";
import type { Conflict } from "./conflict.ts";
import type { TermChoice } from "./controls.ts";
import type { LinkRow } from "./link-wishes.ts";
import type { Values } from "./values.ts";

export type Editor = {
  kind: Kind;
  /** Null: of a record that is still to be made. */
  row: RecordRow | null;
  /** What saving is compared with: the version that the form began with; null of a new record. */
  version: number | null;
  title: string | null;
  values: Values;
  fields: readonly Field[];
  terms: ReadonlyMap<string, readonly TermChoice[]>;
  /** The names of controls with a value that is not in the vocabulary. */
  unlisted: ReadonlySet<string>;
  faults: readonly FaultJson[];
  /** A field that is to have one row more. */
  more: string | null;
  conflict: Conflict | null;
  schema: Schema;
  /** Links that a new record is to have. */
  links: readonly LinkRow[];
  /** Then the field for a maker who has no record is folded. */
  hasMaker: boolean;
  /** The list that it was opened in, as its address says (`neighbours.ts`); null for none. */
  list: string | null;
};
