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
const people: TableKind = { backup: true, reset: "all" };
/** Sessions, tokens, mails: useless later, and partly secrets that should not be in a file. */
const passing: TableKind = { backup: false, reset: "all" };
/** Can be made again from the records, or is useless without them. */
const projection: TableKind = { backup: false, reset: "always" };
/** Describes this installation and its processes, not the museum. */
const operation: TableKind = { backup: false, reset: "never" };

export const TABLE_KINDS: Readonly<Record<string, TableKind>> = {
  records: collection,
  relations: collection,
  revisions: collection,
  movements: collection,
  merges: collection,
  not_duplicates: collection,
  imports: collection,
  import_rows: collection,
  media_names: collection,
  // made from the records, but the dates would differ
  public_dates: collection,
  object_media: collection,

  // an ARK that was assigned is never assigned again
  arks: { backup: true, reset: "never" },

  vocabularies: configuration,
  vocabulary_terms: configuration,
  term_merges: { backup: true, reset: "all" },
  not_duplicate_terms: { backup: true, reset: "all" },
  // about records
  term_undos: collection,
  schema_fields: configuration,
  record_subtypes: configuration,
  relation_types: configuration,
  roles: configuration,
  idno_patterns: configuration,
  // without a row, the defaults apply
  settings: { backup: true, reset: "all" },
  // its version only grows, so that running processes notice changes
  configuration: { backup: true, reset: "never" },

  import_mappings: { backup: true, reset: "all" },

  accounts: people,
  list_views: people,
  list_columns: people,
  api_keys: people,
  // kept for ever, including the event of the reset itself
  security_events: { backup: true, reset: "never" },
  sessions: passing,
  password_resets: passing,
  mail_queue: passing,

  // files that wait to be deleted are deleted, also after a restore or a reset
  stray_files: { backup: true, reset: "never" },

  outbox: projection,
  // a reset and a restore delete the files under /dumps/, which it is about
  withdrawals: projection,
  // which ones are enabled: a restore marks all records for these
  projections: { backup: true, reset: "never" },
  graphs: projection,
  search_rows_a: projection,
  search_texts_a: projection,
  search_ranges_a: projection,
  search_rows_b: projection,
  search_texts_b: projection,
  search_ranges_b: projection,
  search_log: projection,
  search_rebuild: projection,
  search_rebuild_changes: projection,
  search_state: { backup: false, reset: "never" },
  search_changes: { backup: false, reset: "never" },
  // running processes have these numbers in memory
  search_fields: { backup: false, reset: "never" },
  search_terms: { backup: false, reset: "never" },
  search_words: { backup: false, reset: "never" },

  // waiting jobs belong to the former records
  jobs: projection,
  job_files: projection,
  staged_rows: projection,
  staged_names: projection,
  staged_ends: projection,

  schema_migrations: { backup: true, reset: "never" },
  // a secret that should not be in a file; running processes have it in memory
  instance_secret: operation,
  heartbeats: operation,
  backups: operation,
};

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
