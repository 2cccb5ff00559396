/** The data from which the editor page is built. */
import type { FaultJson } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { RecordRow } from "../../records/record.ts";
import type { Field, Schema } from "../../records/schema.ts";
import type { SideForm } from "../asked.ts";
import type { InWords } from "../values-in-words.ts";
import type { Conflict } from "./conflict.ts";
import type { TermChoice } from "./controls.ts";
import type { LinkRow } from "./link-wishes.ts";
import type { Typed } from "./typed-terms.ts";
import type { Values } from "./values.ts";

export type Editor = {
  kind: Kind;
  /** Null for a new record. */
  row: RecordRow | null;
  /** The version when the form was opened, which saving compares; null for a new record. */
  version: number | null;
  title: string | null;
  values: Values;
  fields: readonly Field[];
  terms: ReadonlyMap<string, readonly TermChoice[]>;
  typed: Typed;
  faults: readonly FaultJson[];
  /** The form beside that of the fields, or the links of a new record, which faults may mean. */
  form: SideForm;
  /** The field that gets one more row. */
  more: string | null;
  conflict: Conflict | null;
  /** For the values of the conflict. */
  told: InWords;
  schema: Schema;
  /** Links to create with a new record. */
  links: readonly LinkRow[];
  /** If so, the field for a maker without a record is folded. */
  hasMaker: boolean;
  /** The query string of the list in which the record was opened (`neighbours.ts`); null if none. */
  list: string | null;
};
