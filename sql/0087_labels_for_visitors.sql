-- Why: visitors read the labels "Data in parole" and "Materia e tecnica in parole", which describe a field, not what it holds; and
-- "Superuser" is not Italian. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('Date as written', 'it', 'Data in parole', 'Data come riportata'),
      ('Date as written', 'nl', 'Datering in woorden', 'Datering zoals vermeld'),
      ('Material and technique in words', 'de', 'Material und Technik in Worten', 'Material und Technik im Wortlaut'),
      ('Material and technique in words', 'it', 'Materia e tecnica in parole', 'Materia e tecnica come riportate'),
      ('Material and technique in words', 'es', 'Material y técnica en palabras', 'Material y técnica tal como constan'),
      ('Material and technique in words', 'nl', 'Materiaal en techniek in woorden', 'Materiaal en techniek zoals vermeld'),
      ('Material and technique in words', 'en', 'Material and technique in words', 'Material and technique as written'),
      ('Superuser', 'it', 'Superuser', 'Superutente')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update schema_fields set label = in_better_words(label) where label <> in_better_words(label);
update roles set label = in_better_words(label) where label <> in_better_words(label);

drop function in_better_words(jsonb);
