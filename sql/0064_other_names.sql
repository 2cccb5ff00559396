-- Why: a record was found by the value of a term only. Now the search index has the other names of its terms, so that records
-- are indexed again when these change, whoever changes them. And an import did not find "Müller" similar to "Mueller".

create function mark_named_records() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if tg_op = 'UPDATE' then
    select jsonb_agg(jsonb_build_object('vocabulary', w.vocabulary, 'value', w.value)) into changed
    from old_rows b join new_rows a using (id)
      cross join lateral (values (b.vocabulary, b.value), (a.vocabulary, a.value)) w(vocabulary, value)
    where (b.vocabulary, b.value, b.label, b.alt_label, b.hidden_label)
      <> (a.vocabulary, a.value, a.label, a.alt_label, a.hidden_label);
  elsif tg_op = 'INSERT' then
    select jsonb_agg(jsonb_build_object('vocabulary', vocabulary, 'value', value)) into changed
    from new_rows where (label, alt_label, hidden_label) <> ('{}', '{}', '{}');
  else
    select jsonb_agg(jsonb_build_object('vocabulary', vocabulary, 'value', value)) into changed
    from old_rows where (label, alt_label, hidden_label) <> ('{}', '{}', '{}');
  end if;
  if changed is not null then
    insert into outbox as o (target, record_id, hides)
    select distinct p.target, r.id, false
    from projections p cross join schema_fields f join records r
        on r.record_type = f.record_type and r.deleted_at is null and r.metadata ? f.name
      cross join lateral jsonb_array_elements(r.metadata -> f.name) e
    where p.target = 'search' and f.is_searchable is not null
      and f.vocabulary in (select x.vocabulary from jsonb_to_recordset(changed) x(vocabulary text))
      and (f.vocabulary, e ->> 'value') in (
        select x.vocabulary, x.value from jsonb_to_recordset(changed) x(vocabulary text, value text))
    order by 1, 2
    on conflict (target, record_id) do update set version = excluded.version, due_at = excluded.due_at, attempts = 0;
  end if;
  return null;
end $$;

create trigger vocabulary_terms_name_added after insert on vocabulary_terms
  referencing new table as new_rows for each statement execute function mark_named_records();
create trigger vocabulary_terms_name_changed after update on vocabulary_terms
  referencing old table as old_rows new table as new_rows for each statement execute function mark_named_records();
create trigger vocabulary_terms_name_removed after delete on vocabulary_terms
  referencing old table as old_rows for each statement execute function mark_named_records();

-- What the sort keys of similar names have in common: as `similarSortKey` in text.ts.
create function similar_sort_key(sort_key text) returns text immutable parallel safe language sql as $$
  select regexp_replace(regexp_replace(sort_key, '(?<![aeiouq])([aou])e', '\1', 'g'), 'aa+', 'a', 'g')
$$;

create index records_similar_title on records (record_type, similar_sort_key(sort_title)) where deleted_at is null;
