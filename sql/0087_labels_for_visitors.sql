-- Why: visitors read the labels "Data in parole" and "Materia e tecnica in parole", which describe a field, not what it holds; and
-- "Superuser" is not Italian. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('Date as written', 'it', 'Data in parole', 'Data come riportata'),
      ('Date as written', 'nl', 'Datering in woorden', 'Datering zoals vermeld'),
      ('Material and technique in words', 'de', 'Material und Technik in Worten', 'Material und Technik (Beschreibung)'),
      ('Material and technique in words', 'it', 'Materia e tecnica in parole', 'Materia e tecnica (descrizione)'),
      ('Material and technique in words', 'es', 'Material y técnica en palabras', 'Material y técnica (descripción)'),
      ('Material and technique in words', 'nl', 'Materiaal en techniek in woorden', 'Materiaal en techniek (beschrijving)'),
      ('Material and technique in words', 'en', 'Material and technique in words', 'Material and technique (description)'),
      ('One exhibition per entry; link to a record where there is one.', 'es',
        'Una exposición por entrada; vincular la ficha si existe.', 'Una exposición por entrada; vincule la ficha si existe.'),
      ('Superuser', 'it', 'Superuser', 'Superutente')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update schema_fields set label = in_better_words(label), help = in_better_words(help)
where label <> in_better_words(label) or help <> in_better_words(help);
update roles set label = in_better_words(label) where label <> in_better_words(label);

drop function in_better_words(jsonb);
