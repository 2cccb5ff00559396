/** A row of a source, and what the mapping makes of it. */
import type { Said } from "../../messages/said.ts";
import type { LinkRequest, LinkScope } from "../../records/batch/link-requests.ts";
import type { Kind } from "../../records/kinds.ts";
import type { MappedColumns } from "../csv/column-values.ts";
import type { Unmapped } from "../xml/unmapped.ts";
import type { SourceRow } from "./source-row.ts";

/** `line`: its first line, from 1. `cells`: as in the file, for the rejects file. `short`: cells are missing, and count as empty. */
export type ImportRow = SourceRow & {
  line: number;
  cells: readonly string[];
  short?: true;
  /** The row comes from a rejects file. */
  isReject?: true;
  /** For XML: elements and attributes that were not read. */
  unmapped?: readonly Unmapped[];
  /** For LIDO: what the LIDO schema does not allow. */
  invalid?: readonly Said[];
  /** For XML: values of `xml:lang` that are not language tags. */
  untagged?: readonly string[];
  /** The result, if the format needs no mapping. */
  mapped?: MappedRow;
};

export type DoubtedDate = { column: string; value: string; readings: string[]; edtf: string };

/**
 * A name as written, and what was read from it: a name with dates and an attribution (`qualifier`), or nobody (no `name`).
 * `keepsLink`: the cell names nobody, but the record keeps the link that it has.
 */
export type ReadName = {
  column: string;
  value: string;
  name?: string;
  birth?: string;
  death?: string;
  active?: string;
  qualifier?: string;
  keepsLink?: boolean;
};

/** A name of nobody. `link` is used if a record has exactly this name. Otherwise the words go into `field`. */
export type NobodyRead = { link: MappedRow["relations"][number]; field?: string; reads: ReadName[] };

export type MappedRow = {
  record_type: Kind;
  idno?: string;
  subtype?: string;
  fields: Record<string, { value: string; lang?: string }[]>;
  media: string[];
  /** `create: false`: no record may be created for the value. */
  relations: (LinkScope &
    Pick<
      LinkRequest,
      | "value"
      | "create"
      | "ifSeveral"
      | "match"
      | "levels"
      | "isShared"
      | "subtype"
      | "described"
      | "metadata"
      | "qualifierWords"
    >)[];
  nobody?: NobodyRead[];
  /** Fields for names of nobody, each with the relation type of its column. */
  nobodyFields?: Record<string, string>;
  /** Fields for the wording of dates, each with the field of its date. */
  wordings?: Record<string, string>;
  /** Fields whose values are a fallback. In a merge they fill fields that are empty in the record, and replace nothing. */
  fallbacks?: string[];
  /** Values for fields that are empty in the record. */
  fills?: Record<string, { value: string }[]>;
  columns: MappedColumns;
  /** A row with faults is refused. */
  faults: Said[];
  /** The number is faulty, so it must not be reported as missing. */
  idnoFaulty?: boolean;
  /** Dates that were left out because they could not be read. */
  unread: { column: string; value: string }[];
  /** Dates that can be read in more than one way (`readings`), and the reading that was chosen. */
  doubted?: DoubtedDate[];
  /** Words in cells that mean "not dated". `keepsDate`: the record keeps the date that it has. */
  undated?: { value: string; field?: string; keepsDate?: true }[];
  /** Names that were not used as written. */
  readNames?: ReadName[];
  /** Values that a transform left out because they do not match. */
  unmatched: { column: string; target: string; value: string }[];
};
