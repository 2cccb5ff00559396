/** A pattern, named by `mapping.pattern` of a field, that maps the field to linked data. */
import type { Entry } from "../records/record.ts";
import type { Field } from "../records/schema.ts";
import type { About } from "./about.ts";
import type { Class } from "./crm.ts";

export type Pattern = {
  /** What a record must be, so that its first property may lead from it. */
  domain: Class;
  /** The alternative if the pattern does not suit the record; default `note`. */
  otherwise?: string;
  /** Both for the catalogue in docs/linked-data.md. */
  path: string;
  about: string;
  write(about: About, field: Field, entries: readonly Entry[]): void;
};
