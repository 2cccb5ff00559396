-- Why: numbers sort as people count, 1912.4 before 1912.10, in every list. The key is made in text.ts, like that of titles, which
-- sorts the numbers within words now, too. The worker makes the keys of existing records (src/records/sort-keys.ts).

-- empty: the keys of this record are still to be made
alter table records add column sort_idno text collate "C" not null default '';

-- How the words in the search index were made (EDITION in src/search/edition.ts). If otherwise than now, it is built anew.
alter table projections add column edition integer not null default 0;

-- as in 0051: the key is shown to nobody
create or replace function withdraw_of_records() returns trigger language plpgsql as $$
begin
  insert into withdrawals (at)
  select clock_timestamp() where exists (
    select 1 from old_rows b join new_rows a using (id)
      left join (select record_type, array_agg(name) as names from schema_fields where not is_public group by 1) hidden
        on hidden.record_type = b.record_type
    where b.status = 'public' and b.deleted_at is null and (a.status <> 'public' or a.deleted_at is not null
      or takes_back(b.metadata, a.metadata, coalesce(hidden.names, '{}'))
      or takes_back(to_jsonb(b), to_jsonb(a), '{metadata, title, sort_title, sort_idno, version, published_at, updated_at,
        created_by, updated_by}')));
  return null;
end $$;
