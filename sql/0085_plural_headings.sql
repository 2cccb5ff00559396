-- Why: in French, Italian and Spanish, two headings of links were masculine singulars ("fabriqué ici") above several objects. A text
-- that still is what it was becomes the better one; what a museum wrote stays.
update relation_types as type set inverse_label = inverse_label || (
  select jsonb_object_agg(language, case when inverse_label ->> language = was then better else inverse_label ->> language end)
  from (values
    ('made_at', 'fr', 'fabriqué ici', 'objets fabriqués ici'),
    ('made_at', 'it', 'eseguito qui', 'oggetti eseguiti qui'),
    ('made_at', 'es', 'hecho aquí', 'objetos hechos aquí'),
    ('found_at', 'fr', 'trouvé ici', 'objets découverts ici'),
    ('found_at', 'it', 'rinvenuto qui', 'oggetti rinvenuti qui'),
    ('found_at', 'es', 'hallado aquí', 'objetos hallados aquí')
  ) as words(name, language, was, better)
  where words.name = type.name and inverse_label ? language
)
where name in ('made_at', 'found_at') and inverse_label ?| array['fr', 'it', 'es'];
