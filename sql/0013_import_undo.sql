-- Why: an import is taken back as a whole, record by record in the order of their ids, with the links that it made.

alter table relations add column import_id uuid references imports (id);

create index revisions_import_record on revisions (import_id, record_id) where import_id is not null;
drop index revisions_import;

-- While it is being taken back nobody goes on with it.
alter table imports drop constraint imports_state_check;
alter table imports add constraint imports_state_check
  check (state in ('running', 'finished', 'failed', 'undoing', 'undone'));
