-- Why: what SKOS says about a term was dropped: its other names, its notes, and all of its broader terms but the first.

alter table vocabulary_terms
  -- language → texts
  add column alt_label jsonb not null default '{}',
  add column hidden_label jsonb not null default '{}',
  -- language → text
  add column definition jsonb not null default '{}',
  add column scope_note jsonb not null default '{}',
  -- further broader terms of the same vocabulary, behind broader_id
  add column also_broader uuid[] not null default '{}';

create index vocabulary_terms_also_broader on vocabulary_terms (id) where also_broader <> '{}';

-- Each term with each of its broader terms, the first at place 0.
create view broader_terms as
select id, vocabulary, value, broader_id as broader, 0::bigint as place from vocabulary_terms where broader_id is not null
union all
select t.id, t.vocabulary, t.value, u.broader, u.place
from vocabulary_terms t cross join lateral unnest(t.also_broader) with ordinality u(broader, place)
where t.also_broader <> '{}';

-- As before (0053_terms_followed.sql), but a record also shows the further broader terms, and does not show all of a term.
create or replace function follow_terms() returns trigger language plpgsql as $$
declare
  unshown constant text[] := '{sort_order, hidden_label, definition, scope_note}';
  changed jsonb;
begin
  if tg_op = 'DELETE' then
    select jsonb_agg(jsonb_build_object('id', id, 'vocabulary', vocabulary, 'value', value, 'hides', true)) into changed
    from old_rows;
  else
    select jsonb_agg(jsonb_build_object('id', b.id, 'vocabulary', w.vocabulary, 'value', w.value,
      'hides', takes_back(to_jsonb(b), to_jsonb(a), unshown))) into changed
    from old_rows b join new_rows a using (id)
      cross join lateral (values (b.vocabulary, b.value), (a.vocabulary, a.value)) w(vocabulary, value)
    where to_jsonb(b) - unshown <> to_jsonb(a) - unshown;
  end if;
  if changed is not null then
    -- mark_records_with_terms adds those whose first broader term it is
    perform mark_records_with_terms(changed || coalesce((
      select jsonb_agg(jsonb_build_object('vocabulary', b.vocabulary, 'value', b.value, 'hides', c.hides))
      from jsonb_to_recordset(changed) c(id uuid, hides boolean) join broader_terms b on b.broader = c.id and b.place > 0),
      '[]'));
    if changed @> '[{"hides": true}]' then
      insert into withdrawals default values;
    end if;
  end if;
  -- what was up to date will be when these records are; the version has just been raised (vocabulary_terms_changed)
  update projections p set configuration_version = c.version from configuration c
  where p.about = 'published' and p.is_filled and p.configuration_version = c.version - 1;
  return null;
end $$;
