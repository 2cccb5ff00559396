-- Why: on their pages, native readers found the maker under two names in Spanish and Dutch ("Autoría" and "Creado por"), and two
-- calques. A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('created by', 'es', 'creado por', 'autoría'),
      ('created by', 'nl', 'vervaardigd door', 'vervaardiger'),
      ('created', 'es', 'creó', 'autoría de'),
      ('created', 'nl', 'vervaardigde', 'vervaardiger van'),
      ('Gender', 'es', 'Género (identidad)', 'Identidad de género'),
      ('Body of water', 'it', 'Corpo d’acqua', 'Corpo idrico')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update vocabularies set label = in_better_words(label) where label <> in_better_words(label);
update schema_fields set label = in_better_words(label) where label <> in_better_words(label);
update record_subtypes set label = in_better_words(label) where label <> in_better_words(label);
update relation_types set label = in_better_words(label), inverse_label = in_better_words(inverse_label)
where label <> in_better_words(label) or inverse_label <> in_better_words(inverse_label);

drop function in_better_words(jsonb);
