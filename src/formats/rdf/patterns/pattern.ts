/** A pattern maps a field to linked data. `mapping.pattern` of the field names it. */
import type { Entry } from "../../../records/record.ts";
import type { Field } from "../../../records/schema.ts";
import type { About } from "./about.ts";
import type { Class } from "./crm.ts";

export type Pattern = {
  /** The class that a record must have. */
  domain: Class;
  /** The pattern for records of other classes; `note` by default. */
  otherwise?: string;
  /** For the list in docs/linked-data.md. */
  path: string;
  about: string;
  write(about: About, field: Field, entries: readonly Entry[]): void;
};

/** The name of the node for a value of a field. */
export const partName = ({ name }: Field, index: number): string => `${name}-${index + 1}`;
