/**
 * Every table of the schema, what a backup does with it and what db-reset does. A test holds this list against the
 * schema, so that a new table is thought about once, here.
 */

export type TableKind = {
  /** Are its rows in a backup? */
  readonly backup: boolean;
  /** Emptied by every db-reset, by `db-reset --all` only, or by none. */
  readonly reset: "always" | "all" | "never";
  /** After `db-reset --all` it holds again what a fresh installation has. */
  readonly preset?: true;
};

const collection: TableKind = { backup: true, reset: "always" };
const configuration: TableKind = { backup: true, reset: "all", preset: true };
const people: TableKind = { backup: true, reset: "all" };
/** Who is signed in, what was mailed: of no use on another day, and secrets that a file should not hold. */
const passing: TableKind = { backup: false, reset: "all" };
/** Made from the records at any time, or of no use without them. */
const projection: TableKind = { backup: false, reset: "always" };
/** About this installation and its processes, not about the museum. */
const operation: TableKind = { backup: false, reset: "never" };

export const TABLE_KINDS: Readonly<Record<string, TableKind>> = {
  records: collection,
  relations: collection,
  revisions: collection,
  imports: collection,
  import_rows: collection,
  media_names: collection,
  // made from the records, but not with the same dates again
  public_dates: collection,
  object_media: collection,

  // a name that was given out is never given to anything else
  arks: { backup: true, reset: "never" },

  vocabularies: configuration,
  vocabulary_terms: configuration,
  schema_fields: configuration,
  record_subtypes: configuration,
  relation_types: configuration,
  roles: configuration,
  idno_patterns: configuration,
  // without a row, a fresh installation's
  settings: { backup: true, reset: "all" },
  // its version only ever grows: running processes know by it that their copy is old
  configuration: { backup: true, reset: "never" },

  import_mappings: { backup: true, reset: "all" },

  accounts: people,
  list_views: people,
  api_keys: people,
  // written for ever, also that there was a reset
  security_events: { backup: true, reset: "never" },
  sessions: passing,
  password_resets: passing,
  mail_queue: passing,

  // a dump may be read in elsewhere, beside other files
  stray_files: projection,

  outbox: projection,
  // which of them are enabled: after a restoration all records are marked for these
  projections: { backup: true, reset: "never" },
  graphs: projection,
  search_rows_a: projection,
  search_texts_a: projection,
  search_ranges_a: projection,
  search_counts_a: projection,
  search_rows_b: projection,
  search_texts_b: projection,
  search_ranges_b: projection,
  search_counts_b: projection,
  search_log: projection,
  search_rebuild: projection,
  search_rebuild_changes: projection,
  search_state: { backup: false, reset: "never" },
  search_changes: { backup: false, reset: "never" },
  // a dictionary that running processes remember by number
  search_fields: { backup: false, reset: "never" },
  search_terms: { backup: false, reset: "never" },
  search_words: { backup: false, reset: "never" },

  // what waits to be done belongs to the records that were there
  jobs: projection,
  job_files: projection,

  schema_migrations: { backup: true, reset: "never" },
  // a secret that no file should hold; running processes have it in their memory
  instance_secret: operation,
  heartbeats: operation,
  backups: operation,
};

/** A table that is not listed is not the program's own: it is left alone, as its schema cannot be made again. */
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
