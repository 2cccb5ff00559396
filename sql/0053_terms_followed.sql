-- Why: when a label of a term changed, all of the triple store counted as out of date, and queries waited until it was made anew.
-- Only the records that use the term show it, so these are marked, and the rest stays as it is.

drop trigger vocabulary_terms_withdraw_changed on vocabulary_terms;
drop trigger vocabulary_terms_withdraw_removed on vocabulary_terms;

-- Marks the published records that show one of these words: [{id, vocabulary, value, hides}], `id` that of the term. A record
-- shows the terms of its fields and of the roles in its links, each with the broader term.
create function mark_records_with_terms(changed jsonb) returns void language plpgsql as $$
begin
  insert into outbox as o (target, record_id, hides)
  with own as (select * from jsonb_to_recordset(changed) as x(id uuid, vocabulary text, value text, hides boolean)),
    words as (
      select vocabulary, value, hides from own
      union
      select t.vocabulary, t.value, own.hides from own join vocabulary_terms t on t.broader_id = own.id),
    roles as (
      select l.from_id, l.to_id, w.hides
      from words w cross join lateral (
        select from_id, to_id from relations
        where w.vocabulary = 'role' and metadata -> 'role' @> jsonb_build_array(jsonb_build_object('value', w.value))
        offset 0) l),
    users as (
      select r.id, w.hides
      from schema_fields f join records r on r.record_type = f.record_type and r.metadata ? f.name
        cross join lateral jsonb_array_elements(r.metadata -> f.name) e
        join words w on w.vocabulary = f.vocabulary and w.value = e ->> 'value'
      where f.vocabulary in (select vocabulary from words)
      union all select from_id, hides from roles
      union all select to_id, hides from roles)
  select p.target, u.id, bool_or(u.hides)
  from users u join records r on r.id = u.id and r.published_at is not null
    join projections p on p.about = 'published'
  group by p.target, u.id order by p.target, u.id
  on conflict (target, record_id) do update set version = excluded.version, due_at = excluded.due_at, attempts = 0,
    hides = o.hides or excluded.hides;
end $$;

create function follow_terms() returns trigger language plpgsql as $$
declare
  changed jsonb;
begin
  if tg_op = 'DELETE' then
    select jsonb_agg(jsonb_build_object('id', id, 'vocabulary', vocabulary, 'value', value, 'hides', true)) into changed
    from old_rows;
  else
    select jsonb_agg(jsonb_build_object('id', b.id, 'vocabulary', w.vocabulary, 'value', w.value,
      'hides', takes_back(to_jsonb(b), to_jsonb(a), '{sort_order}'))) into changed
    from old_rows b join new_rows a using (id)
      cross join lateral (values (b.vocabulary, b.value), (a.vocabulary, a.value)) w(vocabulary, value)
    where to_jsonb(b) - 'sort_order' <> to_jsonb(a) - 'sort_order';
  end if;
  if changed is not null then
    perform mark_records_with_terms(changed);
    if changed @> '[{"hides": true}]' then
      insert into withdrawals default values;
    end if;
  end if;
  -- what was up to date will be when these records are; the version has just been raised (vocabulary_terms_changed)
  update projections p set configuration_version = c.version from configuration c
  where p.about = 'published' and p.is_filled and p.configuration_version = c.version - 1;
  return null;
end $$;

-- triggers fire in the order of their names. A new term takes nothing back, and all is made anew for it later.
create trigger vocabulary_terms_follow_changed after update on vocabulary_terms
  referencing old table as old_rows new table as new_rows for each statement execute function follow_terms();
create trigger vocabulary_terms_follow_removed after delete on vocabulary_terms
  referencing old table as old_rows for each statement execute function follow_terms();
