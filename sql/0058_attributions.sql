-- Why: the piece of a workshop is not the master's. A link to a maker says so by a term of a vocabulary, or in free words, and
-- one object can be by somebody and by somebody's workshop.

insert into vocabularies (name, label, description) values
  ('attribution_qualifier', '{"en": "Attribution", "de": "Zuschreibung", "fr": "Attribution"}',
    '{"en": "How an object is connected with a maker who did not, or not for certain, make it; read before the name.", "de": "Wie ein Objekt mit einer Person zusammenhängt, die es nicht oder nicht sicher geschaffen hat; steht vor dem Namen.", "fr": "Lien entre un objet et une personne qui ne l’a pas créé, ou pas avec certitude ; se lit devant le nom."}')
on conflict do nothing;

insert into vocabulary_terms (vocabulary, value, label, sort_order) values
  ('attribution_qualifier', 'attributed_to', '{"en": "attributed to", "de": "zugeschrieben", "fr": "attribué à"}', 10),
  ('attribution_qualifier', 'workshop_of', '{"en": "workshop of", "de": "Werkstatt von", "fr": "atelier de"}', 20),
  ('attribution_qualifier', 'circle_of', '{"en": "circle of", "de": "Umkreis von", "fr": "entourage de"}', 30),
  ('attribution_qualifier', 'follower_of', '{"en": "follower of", "de": "Nachfolger von", "fr": "suiveur de"}', 40),
  ('attribution_qualifier', 'manner_of', '{"en": "manner of", "de": "in der Art von", "fr": "à la manière de"}', 50),
  ('attribution_qualifier', 'copy_after', '{"en": "copy after", "de": "Kopie nach", "fr": "copie d’après"}', 60),
  ('attribution_qualifier', 'possibly', '{"en": "possibly", "de": "möglicherweise", "fr": "peut-être"}', 70),
  ('attribution_qualifier', 'formerly_attributed_to', '{"en": "formerly attributed to", "de": "früher zugeschrieben", "fr": "anciennement attribué à"}', 80)
on conflict do nothing;

-- How a link qualifies its maker; empty if it does not. Links of one pair that differ in this are never merged.
create function attribution_of(metadata jsonb) returns text immutable parallel safe language sql as $$
  select coalesce(metadata ->> 'qualifier', '') || coalesce(metadata ->> 'qualifier_text', '')
$$;

-- What else than its ends and type tells a link from others: its roles, and how it qualifies the maker.
create function link_says(metadata jsonb) returns text immutable parallel safe language sql as $$
  select md5(coalesce(metadata ->> 'role', '') || coalesce(metadata ->> 'qualifier', '')
    || coalesce(metadata ->> 'qualifier_text', ''))
$$;

drop index relations_once;
create unique index relations_once on relations (from_id, relation_type, to_id, link_says(metadata));

-- As before (0053_terms_followed.sql), but a record also shows the qualifiers in its links.
create or replace function mark_records_with_terms(changed jsonb) returns void language plpgsql as $$
begin
  insert into outbox as o (target, record_id, hides)
  with own as (select * from jsonb_to_recordset(changed) as x(id uuid, vocabulary text, value text, hides boolean)),
    words as (
      select vocabulary, value, hides from own
      union
      select t.vocabulary, t.value, own.hides from own join vocabulary_terms t on t.broader_id = own.id),
    said_of_links as (
      select l.from_id, l.to_id, w.hides
      from words w join (values ('role', 'role'), ('attribution_qualifier', 'qualifier')) n(vocabulary, name) using (vocabulary)
        cross join lateral (
          select from_id, to_id from relations
          where metadata -> n.name @> jsonb_build_array(jsonb_build_object('value', w.value))
          offset 0) l),
    users as (
      select r.id, w.hides
      from schema_fields f join records r on r.record_type = f.record_type and r.metadata ? f.name
        cross join lateral jsonb_array_elements(r.metadata -> f.name) e
        join words w on w.vocabulary = f.vocabulary and w.value = e ->> 'value'
      where f.vocabulary in (select vocabulary from words)
      union all select from_id, hides from said_of_links
      union all select to_id, hides from said_of_links)
  select p.target, u.id, bool_or(u.hides)
  from users u join records r on r.id = u.id and r.published_at is not null
    join projections p on p.about = 'published'
  group by p.target, u.id order by p.target, u.id
  on conflict (target, record_id) do update set version = excluded.version, due_at = excluded.due_at, attempts = 0,
    hides = o.hides or excluded.hides;
end $$;
