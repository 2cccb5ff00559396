-- Why: what an import has done, with every name that a curator should check: too long for the result of its job.
alter table job_files drop constraint job_files_name_check;
alter table job_files
  add constraint job_files_name_check check (name in ('input', 'mapping', 'rejects', 'preview', 'report'));
