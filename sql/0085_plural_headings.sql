-- Why: two headings of links were masculine singulars ("fabriqué ici") above several objects, a museum is no person ("personnes
-- actives ici"), and "acquisito da" is also "acquired by". A text that still is what it was becomes the better one; what a museum wrote stays.
create function in_better_words(said jsonb) returns jsonb stable language sql as $$
  select said || coalesce((
    select jsonb_object_agg(language, better)
    from (values
      ('made here', 'fr', 'fabriqué ici', 'objets fabriqués ici'),
      ('made here', 'it', 'eseguito qui', 'oggetti eseguiti qui'),
      ('made here', 'es', 'hecho aquí', 'objetos hechos aquí'),
      ('found here', 'fr', 'trouvé ici', 'objets découverts ici'),
      ('found here', 'it', 'rinvenuto qui', 'oggetti rinvenuti qui'),
      ('found here', 'es', 'hallado aquí', 'objetos hallados aquí'),
      ('active here', 'fr', 'personnes actives ici', 'actifs ici'),
      ('acquired from', 'it', 'acquisito da', 'acquisito presso')
    ) words(en, language, was, better)
    where en = said ->> 'en' and was = said ->> language), '{}')
$$;

update relation_types set label = in_better_words(label), inverse_label = in_better_words(inverse_label)
where label <> in_better_words(label) or inverse_label <> in_better_words(inverse_label);

drop function in_better_words(jsonb);
