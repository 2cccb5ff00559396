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
  /** Text columns of the key, whose order would otherwise depend on the database's locale. */
  readonly text?: readonly string[];
  readonly columns: readonly string[];
  /** A reference within the table, set after all rows are loaded: rows where this column is not null. */
  readonly link?: string;
  /** Part of an export with the history only. */
  readonly history?: true;
};

export const PARTS: readonly Part[] = [
  {
    kind: "role",
    table: "roles",
    key: ["name"],
    text: ["name"],
    columns: ["name", "label", "sort_order", "permissions"],
  },
  {
    // without passwords, sessions and keys: secrets are not exported
    kind: "account",
    table: "accounts",
    key: ["id"],
    columns: [
      ...["id", "email", "email_key", "display_name", "role", "disabled_at", "last_login_at", "created_at"],
    ],
  },
  {
    kind: "vocabulary",
    table: "vocabularies",
    key: ["name"],
    text: ["name"],
    columns: ["name", "label", "description", "uri"],
  },
  {
    kind: "term",
    table: "vocabulary_terms",
    key: ["id"],
    columns: [
      ...["id", "vocabulary", "value", "label", "uri", "also_broader", "alt_label", "hidden_label"],
      ...["definition", "scope_note", "sort_order"],
    ],
  },
  {
    kind: "broader_term",
    table: "vocabulary_terms",
    key: ["id"],
    columns: ["id", "broader_id"],
    link: "broader_id",
  },
  {
    // where their addresses lead
    kind: "merged_term",
    table: "term_merges",
    key: ["term_id"],
    columns: ["term_id", "vocabulary", "into_id", "value", "uri", "at", "actor_id"],
  },
  { kind: "term_undo", table: "term_undos", key: ["term_id"], columns: ["term_id", "moved"] },
  {
    kind: "not_duplicate_term",
    table: "not_duplicate_terms",
    key: ["low_id", "high_id"],
    columns: ["low_id", "high_id", "at", "actor_id"],
  },
  {
    kind: "field",
    table: "schema_fields",
    key: ["record_type", "name"],
    text: ["record_type", "name"],
    columns: [
      ...["record_type", "name", "label", "help", "field_type", "vocabulary", "is_required", "is_repeatable"],
      ...["is_translatable", "is_searchable", "is_facet", "is_public", "sort_order", "mapping"],
    ],
  },
  {
    kind: "subtype",
    table: "record_subtypes",
    key: ["record_type", "name"],
    text: ["record_type", "name"],
    columns: ["record_type", "name", "label", "is_default", "sort_order", "crm_class", "form"],
  },
  {
    kind: "relation_type",
    table: "relation_types",
    key: ["name"],
    text: ["name"],
    columns: [
      ...["name", "inverse", "label", "inverse_label", "from_types", "to_types", "is_public"],
      ...["is_hierarchical", "sort_order", "mapping"],
    ],
  },
  {
    kind: "numbering",
    table: "idno_patterns",
    key: ["record_type"],
    text: ["record_type"],
    columns: ["record_type", "prefix", "digits", "next_number"],
  },
  {
    // the logo itself is copied with MEDIA_ROOT
    kind: "settings",
    table: "settings",
    key: ["singleton"],
    columns: ["singleton", "content"],
  },
  {
    // including the trash, and the identifiers of purged public records
    kind: "record",
    table: "records",
    key: ["id"],
    columns: [
      ...["id", "record_type", "idno", "subtype", "status", "collection_status", "metadata", "lat", "lon"],
      ...["start_date", "end_date", "due_date", "reference_number", "title", "sort_title", "version"],
      ...["published_at", "created_at", "updated_at", "created_by", "updated_by", "deleted_at", "purged_at"],
    ],
  },
  {
    // including those of deleted records, which stay taken
    kind: "ark",
    table: "arks",
    key: ["name", "naan"],
    text: ["name", "naan"],
    columns: ["naan", "name", "record_id", "minted_at"],
  },
  { kind: "parent", table: "records", key: ["id"], columns: ["id", "parent_id"], link: "parent_id" },
  { kind: "merged", table: "records", key: ["id"], columns: ["id", "merged_into"], link: "merged_into" },
  {
    // by which they can be undone
    kind: "merge",
    table: "merges",
    key: ["record_id"],
    columns: ["record_id", "into_id", "at", "actor_id", "moved"],
  },
  {
    kind: "not_duplicate",
    table: "not_duplicates",
    key: ["low_id", "high_id"],
    columns: ["low_id", "high_id", "at", "actor_id"],
  },
  {
    kind: "relation",
    table: "relations",
    key: ["id"],
    columns: ["id", "relation_type", "from_id", "to_id", "metadata", "created_at", "created_by"],
  },
  {
    // without the imports, which may not be in the file
    kind: "movement",
    table: "movements",
    key: ["object_id", "at"],
    columns: ["object_id", "at", "to_id", "to_name", "day", "reason", "procedure_id", "actor_id"],
  },
  {
    // harvesters ask for changes since their last harvest
    kind: "public_date",
    table: "public_dates",
    key: ["record_id"],
    columns: ["record_id", "record_type", "datestamp", "fingerprint", "sets", "manifest_activity"],
  },
  {
    // prevents duplicates when the same file is imported again
    kind: "import_row",
    table: "import_rows",
    key: ["file_hash", "row_number"],
    columns: ["file_hash", "row_number", "record_id"],
  },
  {
    kind: "media_name",
    table: "media_names",
    key: ["record_id", "filename"],
    text: ["filename"],
    columns: ["record_id", "filename", "position"],
  },
  {
    // only the rows; the files are copied with MEDIA_ROOT
    kind: "medium",
    table: "object_media",
    key: ["id"],
    columns: [
      ...[
        "id",
        "object_id",
        "storage_key",
        "filename",
        "mime_type",
        "category",
        "status",
        "error_detail",
        "bytes",
      ],
      ...[
        "sha256",
        "width",
        "height",
        "pages",
        "duration",
        "pyramid_key",
        "private_parts",
        "visibility",
        "is_primary",
      ],
      ...[
        "caption",
        "alt_text",
        "license_uri",
        "rights_holder",
        "position",
        "version",
        "created_at",
        "updated_at",
      ],
      ...["created_by", "updated_by", "deleted_at"],
    ],
  },
  {
    kind: "import",
    table: "imports",
    key: ["id"],
    history: true,
    columns: [
      ...[
        "id",
        "source",
        "filename",
        "fingerprint",
        "record_type",
        "mapping",
        "options",
        "state",
        "rows_done",
      ],
      ...["created", "updated", "unchanged", "skipped", "rejected", "actor_id", "started_at", "touched_at"],
      "finished_at",
    ],
  },
  {
    kind: "revision",
    table: "revisions",
    key: ["record_id", "version"],
    history: true,
    columns: ["record_id", "version", "at", "action", "actor_id", "import_id", "before", "note"],
  },
];
