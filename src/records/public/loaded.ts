/** What visitors see of a record, for the formats. */

import type { Ark } from "../../services.ts";
import type { Entry, Metadata, RecordRow } from "../record.ts";
import type { Labels, Schema } from "../schema.ts";

/** A linked record, with the fields that are shown where it is mentioned (`isNamedElsewhere`). */
export type Neighbour = Pick<
  RecordRow,
  "id" | "record_type" | "subtype" | "idno" | "lat" | "lon" | "updated_at" | "metadata"
> & {
  names: readonly Entry[];
};

export type Link = {
  id: string;
  relation_type: string;
  /** Whether the record is the first end. */
  outgoing: boolean;
  metadata: Metadata;
  other: Neighbour;
};

/** Without the column `title`, which may come from a field that is not public. */
export type PublicRow = Omit<RecordRow, "title"> & {
  /** Public records that were merged into this one. */
  formers?: readonly string[];
};

/** A file of an object that visitors may see. */
export type PublicMedium = {
  id: string;
  object_id: string;
  mime_type: string;
  category: string;
  storage_key: string;
  caption: readonly Entry[];
  alt_text: readonly Entry[];
  license_uri: string | null;
  rights_holder: string | null;
  updated_at: string;
};

export type LoadedRecord = {
  /** `metadata` contains only public fields. */
  row: PublicRow;
  ark: Ark | null;
  parent: Neighbour | null;
  links: readonly Link[];
  media: readonly PublicMedium[];
  /** Public records named by fields of the type relation, by id. */
  named: ReadonlyMap<string, Neighbour>;
};

export type Term = {
  id: string;
  vocabulary: string;
  value: string;
  label: Labels;
  alt_label: Readonly<Record<string, readonly string[]>>;
  uri: string | null;
  broader: readonly Omit<Term, "broader">[];
};

/** What all records of one load share. */
export type Surroundings = {
  baseUrl: string;
  schema: Schema;
  /** The term of a vocabulary that visitors may see; undefined for other words. */
  term(vocabulary: string, value: string): Term | undefined;
};

/** The first name in each language; if there is none, the number. */
export function labelsOf(names: readonly Entry[], idno: string): readonly Entry[] {
  const seen = new Set<string>();
  const first = names.filter(({ lang = "" }) => !seen.has(lang) && seen.add(lang));
  return first.length > 0 ? first : [{ value: idno }];
}

/** The time of the last change of anything shown of a record, including its linked records. */
export function newest({ row, links, media, parent }: LoadedRecord): string {
  return [row, ...media, ...links.map(({ other }) => other), ...(parent ? [parent] : [])]
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1)!;
}
