-- Why: two records that somebody has compared and found different are never offered for merging again.

create table not_duplicates (
  low_id uuid not null references records (id) on delete cascade,
  high_id uuid not null references records (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  primary key (low_id, high_id),
  check (low_id < high_id)
);

create index not_duplicates_high on not_duplicates (high_id);
