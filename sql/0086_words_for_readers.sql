-- Why: a native curator read four names of procedures that Spectrum 5.1 does not use, and five helps that no English editor would
-- leave. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_build_object('en', better)
    from (values
      ('Acquisition', 'Acquisition and accessioning'),
      ('Location and movement', 'Location and movement control'),
      ('Insurance', 'Insurance and indemnity'),
      ('Deaccession and disposal', 'Deaccessioning and disposal'),
      ('It is public; of living people record only what they agree to.', 'It is public; for living people, record only what they have agreed to.'),
      ('What the person is known for; the part in one object belongs to the link between them.', 'What the person is known for; the person’s part in a particular object goes in the link between them.'),
      ('Owners in order of time, with dates, places and gaps; it is public.', 'Owners in chronological order, with dates, places and gaps; it is public.'),
      ('One reference an entry, with pages.', 'One reference per entry, with pages.'),
      ('One exhibition an entry; link to a record where there is one.', 'One exhibition per entry; link to a record where there is one.')
    ) words(was, better)
    where was = said ->> 'en'), '{}')
$$;

update schema_fields set help = in_better_words(help) where help <> in_better_words(help);
update record_subtypes set label = in_better_words(label)
where record_type = 'procedure' and label <> in_better_words(label);

drop function in_better_words(jsonb);
