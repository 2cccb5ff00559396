-- Why: lists sort by the date of making, as searches do. The key is made in sort-keys.ts, which also makes those of existing records.

-- Empty: the sort keys of this record are still to be made. `~`: it has no date.
alter table records add column sort_date text collate "C" not null default '';

drop index records_without_keys;
create index records_without_keys on records (id) where sort_date = '' and purged_at is null;

-- records without a date come last in both directions
create index records_oldest on records (record_type, sort_date, id) where deleted_at is null;
create index records_latest on records (record_type, rtrim(sort_date, '~'), id) where deleted_at is null;

-- as in 0062: the key is shown to nobody
create or replace function withdraw_of_records() returns trigger language plpgsql as $$
begin
  insert into withdrawals (at)
  select clock_timestamp() where exists (
    select 1 from old_rows b join new_rows a using (id)
      left join (select record_type, array_agg(name) as names from schema_fields where not is_public group by 1) hidden
        on hidden.record_type = b.record_type
    where b.status = 'public' and b.deleted_at is null and (a.status <> 'public' or a.deleted_at is not null
      or takes_back(b.metadata, a.metadata, coalesce(hidden.names, '{}'))
      or takes_back(to_jsonb(b), to_jsonb(a), '{metadata, title, sort_title, sort_idno, sort_date, version, published_at, updated_at,
        created_by, updated_by}')));
  return null;
end $$;
