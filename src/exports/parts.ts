/**
 * The parts of a complete export, in import order, each with the columns of its table. tests/cli/exports.test.ts names
 * every column and table that is left out, with the reason.
 */

export type Part = {
  /** Its name in the file. */
  readonly kind: string;
  readonly table: string;
  /** The unique key of a row, and the order of rows, which is the same on every database. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** A reference within the table, set after all rows are loaded: rows where this column is not null. */
  readonly link?: string;
  /** Part of an export with the history only. */
  readonly history?: true;
};

/** @param key, columns words */
const part = (
  kind: string,
  table: string,
  key: string,
  columns: string,
  more: Pick<Part, "link" | "history"> = {},
): Part => ({ kind, table, key: key.split(" "), columns: columns.split(/\s+/), ...more });

export const PARTS: readonly Part[] = [
  part("role", "roles", "name", "name label sort_order permissions"),
  // without passwords, sessions and keys: secrets are not exported
  part(
    "account",
    "accounts",
    "id",
    `id email email_key display_name role disabled_at last_login_at created_at`,
  ),
  part("vocabulary", "vocabularies", "name", "name label description uri"),
  part(
    "term",
    "vocabulary_terms",
    "id",
    `id vocabulary value label uri also_broader alt_label hidden_label definition scope_note sort_order`,
  ),
  part("broader_term", "vocabulary_terms", "id", "id broader_id", { link: "broader_id" }),
  // where their addresses lead
  part("merged_term", "term_merges", "term_id", "term_id vocabulary into_id value uri at actor_id"),
  part("term_undo", "term_undos", "term_id", "term_id moved"),
  part("not_duplicate_term", "not_duplicate_terms", "low_id high_id", "low_id high_id at actor_id"),
  part(
    "field",
    "schema_fields",
    "record_type name",
    `record_type name label help field_type vocabulary is_required is_repeatable is_translatable
      is_searchable is_facet is_public sort_order mapping`,
  ),
  part(
    "subtype",
    "record_subtypes",
    "record_type name",
    `record_type name label is_default sort_order crm_class form`,
  ),
  part(
    "relation_type",
    "relation_types",
    "name",
    `name inverse label inverse_label from_types to_types is_public is_hierarchical sort_order mapping`,
  ),
  part("numbering", "idno_patterns", "record_type", "record_type prefix digits next_number"),
  // the logo itself is copied with MEDIA_ROOT
  part("settings", "settings", "singleton", "singleton content"),
  // including the trash, and the identifiers of purged public records
  part(
    "record",
    "records",
    "id",
    `id record_type idno subtype status collection_status metadata lat lon start_date end_date due_date
      reference_number title sort_title version published_at created_at updated_at created_by updated_by
      deleted_at purged_at`,
  ),
  // including those of deleted records, which stay taken
  part("ark", "arks", "name naan", "naan name record_id minted_at"),
  part("parent", "records", "id", "id parent_id", { link: "parent_id" }),
  part("merged", "records", "id", "id merged_into", { link: "merged_into" }),
  // by which they can be undone
  part("merge", "merges", "record_id", "record_id into_id at actor_id moved"),
  part("not_duplicate", "not_duplicates", "low_id high_id", "low_id high_id at actor_id"),
  part("relation", "relations", "id", "id relation_type from_id to_id metadata created_at created_by"),
  // without the imports, which may not be in the file
  part(
    "movement",
    "movements",
    "object_id at",
    `object_id at to_id to_name day reason procedure_id actor_id`,
  ),
  // harvesters ask for changes since their last harvest
  part(
    "public_date",
    "public_dates",
    "record_id",
    `record_id record_type datestamp fingerprint sets manifest_activity`,
  ),
  // prevents duplicates when the same file is imported again
  part("import_row", "import_rows", "file_hash row_number", "file_hash row_number record_id"),
  part("media_name", "media_names", "record_id filename", "record_id filename position"),
  // only the rows; the files are copied with MEDIA_ROOT
  part(
    "medium",
    "object_media",
    "id",
    `id object_id storage_key filename mime_type category status error_detail bytes sha256 width height
      pages duration pyramid_key private_parts visibility is_primary caption alt_text license_uri
      rights_holder position version created_at updated_at created_by updated_by deleted_at`,
  ),
  part(
    "import",
    "imports",
    "id",
    `id source filename fingerprint record_type mapping options state rows_done created updated
      unchanged skipped rejected actor_id started_at touched_at finished_at`,
    { history: true },
  ),
  part(
    "revision",
    "revisions",
    "record_id version",
    `record_id version at action actor_id import_id before note`,
    { history: true },
  ),
];
