-- Why: people, places and events that a file names are found by what authority files call them.

create index records_authorities on records
  using gin ((case when record_type <> 'object' then metadata end) jsonb_path_ops) where deleted_at is null;
