-- Why: when the last backup was made, for /health, and how backups ended.

create table backups (
  id uuid primary key,
  started_at timestamptz not null default now(),
  -- null: under way, broken off or failed
  finished_at timestamptz,
  -- the name of the dump, without its directory
  file text,
  bytes bigint,
  -- why it failed, in words; null when it did not, or when its process was killed
  last_error text
);

create index backups_started on backups (started_at desc);
