-- Why: the result of a job is short. The whole report of an import, with each line that somebody should check, is a file of its job.

alter table job_files
  drop constraint job_files_name_check,
  add constraint job_files_name_check check (name in ('input', 'mapping', 'rejects', 'preview', 'report'));
