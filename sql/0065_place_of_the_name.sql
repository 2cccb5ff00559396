-- Why: in German the name stands before "zugeschrieben", so the name of a term says by "…" where the maker's name stands.
update vocabulary_terms t set label = t.label || jsonb_build_object('de', new.label)
from (values ('attributed_to', 'zugeschrieben', '… zugeschrieben'),
  ('formerly_attributed_to', 'früher zugeschrieben', 'früher … zugeschrieben')) new(value, old, label)
where t.vocabulary = 'attribution_qualifier' and t.value = new.value and t.label ->> 'de' = new.old;

update vocabularies set description =
  '{"en": "How an object is connected with a maker who did not, or not for certain, make it. The name stands after these words, or where they have “…”.", "de": "Wie ein Objekt mit einer Person zusammenhängt, die es nicht oder nicht sicher geschaffen hat. Der Name steht hinter diesen Worten oder dort, wo sie „…“ haben.", "fr": "Lien entre un objet et une personne qui ne l’a pas créé, ou pas avec certitude. Le nom se lit après ces mots, ou à la place de « … »."}'
where name = 'attribution_qualifier' and description ->> 'en' like '%; read before the name.';
