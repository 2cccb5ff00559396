/** A row of a source, and what the mapping makes of it. */
import type { Said } from "../../messages/said.ts";
import type { LinkRequest, LinkScope } from "../../records/batch/link-requests.ts";
import type { Kind } from "../../records/kinds.ts";
import type { MappedColumns } from "../csv/column-values.ts";
import type { Unmapped } from "../xml/unmapped.ts";
import type { SourceRow } from "./source-row.ts";

/** `line`: its first line, from 1. `cells`: as in the file, for the rejects file. `short`: it has too few cells; the others count as empty. */
export type ImportRow = SourceRow & {
  line: number;
  cells: readonly string[];
  short?: true;
  /** Of a rejects file. */
  isReject?: true;
  /** Of XML: the elements and attributes that were not read. */
  unmapped?: readonly Unmapped[];
  /** Of LIDO: what its schema does not allow. */
  invalid?: readonly Said[];
  /** Of XML: values of `xml:lang` that are not language tags. */
  untagged?: readonly string[];
  /** The result, if the format needs no mapping. */
  mapped?: MappedRow;
};

export type DoubtedDate = { column: string; value: string; readings: string[]; edtf: string };

/**
 * What a cell gives as a name, and what it became: nobody (`name` is missing), or a name and dates beside it. `keepsLink`: the record
 * keeps the link that it has, although the cell names nobody.
 */
export type ReadName = {
  column: string;
  value: string;
  name?: string;
  birth?: string;
  death?: string;
  active?: string;
  keepsLink?: boolean;
};

/** A name of nobody. `link`: for the case that a record has exactly this name. `field`: where its words stay otherwise. */
export type NobodyRead = { link: MappedRow["relations"][number]; field?: string; reads: ReadName[] };

export type MappedRow = {
  record_type: Kind;
  idno?: string;
  subtype?: string;
  fields: Record<string, { value: string; lang?: string }[]>;
  media: string[];
  /** `create: false`: no record must be created for the value. */
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
  /** Fields for words of nobody, each with the relation type of its column. */
  nobodyFields?: Record<string, string>;
  /** Fields for the wording of dates, each with the field of its date. */
  wordings?: Record<string, string>;
  /** Fields whose values are a fallback: in a merge, they fill what is empty in the record, and replace nothing. */
  fallbacks?: string[];
  /** Values for fields that are empty in the record. */
  fills?: Record<string, { value: string }[]>;
  columns: MappedColumns;
  /** A row with faults is refused. */
  faults: Said[];
  /** One of the faults is in the number: the number must not be reported as missing. */
  idnoFaulty?: boolean;
  /** Dates that were left out because they could not be read. */
  unread: { column: string; value: string }[];
  /** Dates that can be read in several ways (`readings`), and what was made of them. */
  doubted?: DoubtedDate[];
  /** Words by which cells say that something is not dated. */
  undated?: { value: string; field?: string; keepsDate?: true }[];
  /** Names that were not taken as they are written. */
  readNames?: ReadName[];
  /** Values that a pattern left out because it does not match. */
  unmatched: { column: string; target: string; value: string }[];
};
