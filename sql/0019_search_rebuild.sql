-- Why: a new search index is built by a job that may be killed at any point; it goes on where it was, and loses no change.

-- The build that goes on, if one does. Whoever changes the index looks here whether to note it.
create table search_rebuild (
  one boolean primary key default true check (one),
  job_id uuid not null,
  -- the run that has it: a run that was taken for dead learns here that it is
  run uuid not null,
  -- null: every kind
  record_type text,
  -- begun: the place is being made; records: the records are read; swap: writers wait until the new index answers
  stage text not null default 'begun' check (stage in ('begun', 'records', 'swap')),
  -- the last record that is in it
  last_id uuid,
  done integer not null default 0
);

-- Another one with each change, so that one which comes while the record is brought over is not taken for done.
alter table search_rebuild_changes add column version bigint not null default 1;
