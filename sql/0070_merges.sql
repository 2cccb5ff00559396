-- Why: imports make two records of one person, place or object. Merging them keeps the address and the number of the one that
-- goes, and all that an undo needs.

-- The number of a merged record stays taken, because its address still leads to the other record.
alter table records add column merged_into uuid references records (id) on delete set null;
alter table records add check (merged_into is null or deleted_at is not null);
create index records_merged on records (merged_into) where merged_into is not null;
drop index records_idno;
create unique index records_idno on records (record_type, idno) where deleted_at is null or merged_into is not null;

-- Imports that name a merged record mean the one that it is now.
drop index records_similar_title;
create index records_similar_title on records (record_type, similar_sort_key(sort_title))
  where deleted_at is null or merged_into is not null;
drop index records_authorities;
create index records_authorities on records
  using gin ((case when record_type <> 'object' then metadata end) jsonb_path_ops)
  where deleted_at is null or merged_into is not null;

-- The record itself, or the last one of the way if it was merged.
create function record_now(of uuid) returns uuid stable language sql as $$
  with recursive way as (
    select id, merged_into from records where id = of
    union
    select n.id, n.merged_into from way join records n on n.id = way.merged_into)
  select id from way where merged_into is null
$$;

-- What a merge has moved, until it is too late to undo it.
create table merges (
  record_id uuid primary key references records (id) on delete cascade,
  into_id uuid not null references records (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  moved jsonb not null
);

create index merges_into on merges (into_id, at);

alter table revisions drop constraint revisions_action_check;
alter table revisions add constraint revisions_action_check check (action in ('created', 'updated', 'status_changed',
  'deleted', 'restored', 'reverted', 'relation_added', 'relation_changed', 'relation_removed', 'media_added',
  'media_changed', 'media_removed', 'media_restored', 'merged', 'unmerged'));
