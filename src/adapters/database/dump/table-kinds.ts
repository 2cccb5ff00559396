/**
 * For every table of the schema: whether a backup contains its rows, and whether db-reset empties it. A test compares this list
 * with the schema, so that no new table is forgotten.
 */

export type TableKind = {
  /** Whether a backup contains its rows. */
  readonly backup: boolean;
  /** Emptied by every db-reset, only by `db-reset --all`, or never. */
  readonly reset: "always" | "all" | "never";
  /** After `db-reset --all` it has the rows of a fresh installation. */
  readonly preset?: true;
};

const collection: TableKind = { backup: true, reset: "always" };
const configuration: TableKind = { backup: true, reset: "all", preset: true };
/** Accounts, settings and what else the people of this museum have entered. */
const museum: TableKind = { backup: true, reset: "all" };
/** Must not be lost, whatever happens. */
const lasting: TableKind = { backup: true, reset: "never" };
/** Sessions, tokens, mails: useless later, and partly secrets that should not be in a file. */
const passing: TableKind = { backup: false, reset: "all" };
/** Can be made again from the records, or is useless without them. */
const projection: TableKind = { backup: false, reset: "always" };
/** Describes this installation and its processes, not the museum. */
const operation: TableKind = { backup: false, reset: "never" };

/** Kind → the tables of that kind, in an order in which presets can be copied. */
const TABLES: readonly (readonly [kind: TableKind, names: string])[] = [
  [collection, "records relations revisions movements merges not_duplicates imports import_rows media_names"],
  // public_dates: made from the records, but the dates would differ; term_undos: about records
  [collection, "public_dates object_media term_undos"],
  [
    configuration,
    "vocabularies vocabulary_terms schema_fields record_subtypes relation_types roles idno_patterns",
  ],
  // settings: without a row, the defaults apply
  [
    museum,
    "term_merges not_duplicate_terms settings import_mappings accounts list_views list_columns api_keys",
  ],
  [passing, "sessions password_resets mail_queue"],
  // withdrawals: a reset and a restore delete the files under /dumps/, which it is about; jobs belong to the former records
  [projection, "outbox withdrawals graphs jobs job_files staged_rows staged_names staged_ends"],
  [projection, "search_rows_a search_texts_a search_ranges_a search_rows_b search_texts_b search_ranges_b"],
  [projection, "search_log search_rebuild search_rebuild_changes"],
  // arks: one that was assigned is never assigned again; configuration: its version only grows, so that running processes
  // notice changes; security_events: kept for ever, including the event of the reset itself
  [lasting, "arks configuration security_events schema_migrations"],
  // stray_files: deleted also after a restore or a reset; projections: which are enabled, a restore marks all records for these
  [lasting, "stray_files projections"],
  // instance_secret: should not be in a file; running processes have it and the numbers of the search index in memory
  [
    operation,
    "instance_secret heartbeats backups search_state search_changes search_fields search_terms search_words",
  ],
];
export const TABLE_KINDS: Readonly<Record<string, TableKind>> = Object.fromEntries(
  TABLES.flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind])),
);

/** A table that is not listed does not belong to the program and is left alone. */
export function kindOf(table: string): TableKind {
  return TABLE_KINDS[table] ?? { backup: false, reset: "never" };
}

/** Names of the tables that are in a backup. */
export function backedUp(): string[] {
  return Object.keys(TABLE_KINDS).filter((name) => kindOf(name).backup);
}

/** Names of the tables that a reset empties. */
export function emptiedBy(reset: "always" | "all"): string[] {
  const names = Object.entries(TABLE_KINDS).filter(
    ([, kind]) => kind.reset === "always" || kind.reset === reset,
  );
  return names.map(([name]) => name);
}
