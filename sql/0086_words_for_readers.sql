-- Why: native readers found four names of procedures that Spectrum 5.1 does not use, helps that no editor would leave, "erworben von",
-- which is also "acquired by", "Bildthema" on things without a picture, and curators of exhibitions called keepers of a collection.
-- A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('Acquisition', 'en', 'Acquisition', 'Acquisition and accessioning'),
      ('Location and movement', 'en', 'Location and movement', 'Location and movement control'),
      ('Insurance', 'en', 'Insurance', 'Insurance and indemnity'),
      ('Deaccession and disposal', 'en', 'Deaccession and disposal', 'Deaccessioning and disposal'),
      ('acquired from', 'de', 'erworben von', 'Erwerbung von'),
      ('Subject', 'de', 'Bildthema', 'Schlagwort'),
      ('curator', 'fr', 'conservateur/conservatrice', 'commissaire d’exposition'),
      ('curator', 'it', 'conservatore/conservatrice', 'curatore/curatrice'),
      ('curator', 'es', 'conservador/conservadora', 'comisario/comisaria'),
      ('It is public; of living people record only what they agree to.', 'en',
        'It is public; of living people record only what they agree to.',
        'It is public; for living people, record only what they have agreed to.'),
      ('What the person is known for; the part in one object belongs to the link between them.', 'en',
        'What the person is known for; the part in one object belongs to the link between them.',
        'What the person is known for; the person’s part in a particular object goes in the link between them.'),
      ('Owners in order of time, with dates, places and gaps; it is public.', 'en',
        'Owners in order of time, with dates, places and gaps; it is public.',
        'Owners in chronological order, with dates, places and gaps; it is public.'),
      ('One reference an entry, with pages.', 'en', 'One reference an entry, with pages.', 'One reference per entry, with pages.'),
      ('One reference an entry, with pages.', 'nl', 'Eén titel per invoer, met pagina’s.', 'Eén titel per vak, met pagina’s.'),
      ('One exhibition an entry; link to a record where there is one.', 'en',
        'One exhibition an entry; link to a record where there is one.', 'One exhibition per entry; link to a record where there is one.'),
      ('One exhibition an entry; link to a record where there is one.', 'nl',
        'Eén tentoonstelling per invoer; koppel het record als dat er is.', 'Eén tentoonstelling per vak; koppel het record als dat er is.'),
      ('One entry for each material.', 'nl', 'Eén invoer per materiaal.', 'Eén materiaal per vak.'),
      ('One entry for each technique.', 'nl', 'Eén invoer per techniek.', 'Eén techniek per vak.'),
      ('The name in use today; give each language its own entry.', 'nl',
        'De naam die nu in gebruik is; één invoer per taal.', 'De naam die nu in gebruik is; één naam per taal.')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update vocabularies set label = in_better_words(label) where label <> in_better_words(label);
update schema_fields set label = in_better_words(label), help = in_better_words(help)
where label <> in_better_words(label) or help <> in_better_words(help);
update record_subtypes set label = in_better_words(label)
where record_type = 'procedure' and label <> in_better_words(label);
update relation_types set label = in_better_words(label) where label <> in_better_words(label);
update vocabulary_terms set label = in_better_words(label)
where vocabulary = 'role' and value = 'curator' and label <> in_better_words(label);

drop function in_better_words(jsonb);
