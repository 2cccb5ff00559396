-- Why: the records themselves, what was done to them, how they hang together, and which projections must still follow.

create table records (
  id uuid primary key,
  record_type text not null check (record_type in
    ('object', 'entity', 'place', 'occurrence', 'procedure', 'collection', 'storage_location')),
  idno text collate "C" not null check (idno <> '' and length(idno) <= 200),
  subtype text not null,
  status text not null check (status in ('draft', 'internal', 'public')),
  collection_status text check (collection_status in
    ('active', 'pending', 'on_loan_in', 'on_loan_out', 'deaccessioned', 'returned')),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  lat double precision check (lat between -90 and 90),
  lon double precision check (lon between -180 and 180),
  parent_id uuid references records (id),
  start_date date,
  end_date date,
  due_date date,
  reference_number text check (length(reference_number) <= 200),
  -- derived from metadata when written, so that lists sort alike on every database whatever its locale
  title text not null,
  sort_title text collate "C" not null,
  version integer not null default 1,
  -- the first moment the record was public: from then on its identifier is never forgotten (410, OAI-PMH, ARK)
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  deleted_at timestamptz,
  purged_at timestamptz,
  check ((record_type = 'object') = (collection_status is not null)),
  check (record_type <> 'storage_location' or status <> 'public'),
  check ((lat is null) = (lon is null)),
  check (parent_id is null or record_type in ('collection', 'storage_location')),
  check (parent_id <> id)
);

create unique index records_idno on records (record_type, idno) where deleted_at is null;
create index records_updated on records (record_type, updated_at, id) where deleted_at is null;
create index records_created on records (record_type, created_at, id) where deleted_at is null;
create index records_title on records (record_type, sort_title, id) where deleted_at is null;
create index records_parent on records (parent_id) where parent_id is not null;
create index records_trash on records (deleted_at) where deleted_at is not null;

-- The next number of each type's pattern (OBJ-000001 …).
create table idno_patterns (
  record_type text primary key,
  prefix text not null,
  digits integer not null check (digits between 1 and 12),
  next_number bigint not null default 1
);

insert into idno_patterns (record_type, prefix, digits) values
  ('object', 'OBJ-', 6), ('entity', 'ENT-', 6), ('place', 'PLC-', 6), ('occurrence', 'OCC-', 6),
  ('procedure', 'PRC-', 6), ('collection', 'COL-', 6), ('storage_location', 'LOC-', 6);

-- One row for each import or bulk edit, so that its revisions can be found and taken back as one.
create table imports (
  id uuid primary key,
  source text not null check (source in ('csv', 'xml', 'bulk')),
  filename text,
  -- names file, type, mapping and options: an interrupted import is recognised by it and goes on
  fingerprint text,
  record_type text not null,
  mapping jsonb,
  options jsonb not null default '{}',
  state text not null check (state in ('running', 'finished', 'failed', 'undone')),
  rows_done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  skipped integer not null default 0,
  rejected integer not null default 0,
  actor_id uuid,
  started_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  finished_at timestamptz
);

create index imports_fingerprint on imports (fingerprint, started_at);

-- Which record a row without an identification number of its own became: the same file again doubles nothing.
create table import_rows (
  file_hash text not null,
  row_number integer not null,
  record_id uuid not null references records (id) on delete cascade,
  primary key (file_hash, row_number)
);

create index import_rows_record on import_rows (record_id);

-- Append-only history. `before` is the state that this version replaced; null when the record was created.
create table revisions (
  record_id uuid not null references records (id) on delete cascade,
  version integer not null,
  at timestamptz not null default now(),
  action text not null check (action in ('created', 'updated', 'status_changed', 'deleted', 'restored',
    'reverted', 'relation_added', 'relation_removed')),
  actor_id uuid,
  import_id uuid references imports (id),
  before jsonb,
  note jsonb,
  primary key (record_id, version)
);

create index revisions_import on revisions (import_id) where import_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger revisions_append_only before update on revisions
  for each row execute function refuse_change();

create table relations (
  id uuid primary key,
  relation_type text not null,
  from_id uuid not null references records (id) on delete cascade,
  to_id uuid not null references records (id) on delete cascade,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  created_by uuid,
  unique (from_id, relation_type, to_id),
  check (from_id <> to_id)
);

create index relations_to on relations (to_id);

-- The to-do list of the projections: search index, later graph. Not a history: one row for each target and record.
create table outbox (
  target text not null,
  record_id uuid not null,
  version bigint not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  last_error text,
  primary key (target, record_id)
);

create index outbox_due on outbox (target, due_at);

-- File names that an import met before the files themselves arrived.
create table media_names (
  record_id uuid not null references records (id) on delete cascade,
  filename text not null,
  position integer not null,
  import_id uuid references imports (id),
  primary key (record_id, filename)
);

create table heartbeats (
  name text primary key,
  at timestamptz not null
);
