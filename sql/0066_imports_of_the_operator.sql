-- Why: an import that svc-manage starts may read a file where it lies, which only the process that was asked may open; and the
-- command prints what a page does not show.
alter table jobs add column named_file jsonb;

alter table job_files
  drop constraint job_files_name_check,
  add constraint job_files_name_check
    check (name in ('input', 'mapping', 'rejects', 'preview', 'report', 'notices', 'outcome'));
