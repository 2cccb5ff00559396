-- Why: records from elsewhere have several numbers, and say in words what terms do not say: how a thing was made and acquired, and
-- of what. Without a field, an import would have to drop that. A museum that has such a field under the same name keeps its own.
insert into schema_fields (record_type, name, field_type, vocabulary,
  is_required, is_repeatable, is_translatable, is_searchable, is_facet, is_public, sort_order, mapping, label, help) values
  ('object', 'material_text',    'text', null, false, true, true,  'C', false, true, 95,  '{"pattern": "material_text", "dc": "format"}',
    '{"en": "Material and technique in words", "de": "Material und Technik in Worten", "fr": "Matières et techniques en mots"}',
    '{"en": "What the terms do not say: oil on canvas; frame: gilded wood.", "de": "Was die Begriffe nicht sagen: Öl auf Leinwand; Rahmen: Holz, vergoldet.", "fr": "Ce que les termes ne disent pas : huile sur toile ; cadre : bois doré."}'),
  ('object', 'production_note',  'text', null, false, true, true,  'C', false, true, 165, '{"pattern": "production_note", "dc": "description"}',
    '{"en": "About the making", "de": "Zur Herstellung", "fr": "Sur la fabrication"}',
    '{"en": "How and why it was made.", "de": "Wie und wozu es hergestellt wurde.", "fr": "Comment et pourquoi l’objet a été fait."}'),
  ('object', 'other_numbers',    'text', null, false, true, false, 'C', false, true, 255, '{"pattern": "identifier", "dc": "identifier"}',
    '{"en": "Other numbers", "de": "Weitere Nummern", "fr": "Autres numéros"}',
    '{"en": "Former and other numbers, with their kind: old inventory: K 17.", "de": "Frühere und andere Nummern, mit ihrer Art: altes Inventar: K 17.", "fr": "Numéros anciens et autres, avec leur nature : ancien inventaire : K 17."}'),
  ('object', 'acquisition_note', 'text', null, false, true, true,  'D', false, true, 275, '{"pattern": "acquisition_note", "dc": "description"}',
    '{"en": "About the acquisition", "de": "Zur Erwerbung", "fr": "Sur l’acquisition"}',
    '{"en": "Visitors can read this: prices and addresses belong in the internal note.", "de": "Für Besucher lesbar: Preise und Adressen gehören in die interne Notiz.", "fr": "Visible par le public : prix et adresses vont dans la note interne."}')
on conflict do nothing;
