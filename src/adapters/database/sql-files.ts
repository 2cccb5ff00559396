/**
 * The files of sql/ in their order. A list, so that nothing looks into directories at run time; the house test holds it
 * against the directory.
 */
export const SQL_FILES: readonly string[] = [
  "0001_records.sql",
  "0002_configuration.sql",
  "0003_default_schema.sql",
  "0004_visibility_epoch.sql",
  "0005_accounts.sql",
  "0006_search.sql",
  "0007_hierarchies.sql",
  "0008_security_events.sql",
  "0009_sessions_and_keys.sql",
  "0010_mail.sql",
  "0011_further_values.sql",
  "0012_account_notices.sql",
  "0013_jobs.sql",
  "0014_import_undo.sql",
  "0015_job_files.sql",
  "0016_backups.sql",
  "0017_linked_titles.sql",
  "0018_search_generations.sql",
  "0019_search_rebuild.sql",
  "0020_search_words_alike.sql",
  "0021_signing_in.sql",
  "0022_outbox_hides.sql",
  "0023_rebuild_failures.sql",
  "0024_imports.sql",
  "0025_outbox_versions.sql",
  "0026_subtype_classes.sql",
  "0027_object_media.sql",
  "0028_arks.sql",
];
