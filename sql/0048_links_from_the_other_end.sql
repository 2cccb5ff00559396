-- Why: on the page of a place or a person, the name of a link from its other end is a heading above objects, and "Place of
-- making of" is none. In French, "né à" is wrong of a woman. What a museum has named otherwise keeps its name.
update relation_types as type set inverse_label = better.new_label from (values
  ('made_at', '{"en": "place of making of", "de": "Herstellungsort von", "fr": "lieu de fabrication de"}'::jsonb,
    '{"en": "made here", "de": "hier hergestellt", "fr": "fabriqué ici"}'::jsonb),
  ('about', '{"en": "subject of", "de": "Thema von", "fr": "sujet de"}',
    '{"en": "subject of", "de": "behandelt in", "fr": "traité dans"}'),
  ('found_at', '{"en": "find spot of", "de": "Fundort von", "fr": "lieu de découverte de"}',
    '{"en": "found here", "de": "hier gefunden", "fr": "trouvé ici"}'),
  ('acquired_from', '{"en": "source of", "de": "Erwerbungsquelle von", "fr": "source d’acquisition de"}',
    '{"en": "handed over", "de": "überließ", "fr": "a cédé"}'),
  ('owned_by', '{"en": "owns", "de": "ist Eigentümer von", "fr": "possède"}',
    '{"en": "owns", "de": "Eigentum", "fr": "possède"}')
) as better (name, old_label, new_label)
where type.name = better.name and type.inverse_label = better.old_label;

update relation_types as type set label = better.new_label from (values
  ('born_at', '{"en": "born at", "de": "geboren in", "fr": "né à"}'::jsonb,
    '{"en": "born in", "de": "geboren in", "fr": "lieu de naissance"}'::jsonb),
  ('died_at', '{"en": "died at", "de": "gestorben in", "fr": "mort à"}',
    '{"en": "died in", "de": "gestorben in", "fr": "lieu de décès"}'),
  ('active_at', '{"en": "active at", "de": "tätig in", "fr": "actif à"}',
    '{"en": "active in", "de": "tätig in", "fr": "lieu d’activité"}')
) as better (name, old_label, new_label)
where type.name = better.name and type.label = better.old_label;
