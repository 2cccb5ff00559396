-- Why: cataloguers copy a card of ten facts. The editor shows the fields that such a card has, for each subtype in its own order.

-- Names of fields. The others wait behind "Add a field" until they have a value. Empty: all fields are shown.
alter table record_subtypes add column form text[] not null default '{}';

update record_subtypes s set form = string_to_array(d.form, ' ')
from (values
  ('object', 'painting drawing sculpture furniture textile ceramic scientific_instrument digital other',
    'title object_name creator_text date material technique dimensions description inscription rights credit_line acquisition_method'),
  ('object', 'print',
    'title object_name creator_text date material technique dimensions edition description inscription rights credit_line acquisition_method'),
  ('object', 'photograph audiovisual',
    'title object_name creator_text date place_of_production_text technique dimensions description subject rights credit_line acquisition_method'),
  ('object', 'coin',
    'title object_name culture date place_of_production_text material dimensions description inscription rights credit_line acquisition_method'),
  ('object', 'book manuscript',
    'title object_name creator_text date place_of_production_text edition dimensions description inscription rights credit_line acquisition_method'),
  ('object', 'archaeological_find natural_history_specimen',
    'title object_name culture date material dimensions number_of_parts description rights credit_line acquisition_method acquisition_date'),
  ('entity', 'person',
    'name alternative_name birth_date death_date nationality role biography gnd wikidata'),
  ('entity', 'organisation family group',
    'name alternative_name formation dissolution role biography website gnd wikidata')
) d(record_type, subtypes, form)
where s.record_type = d.record_type and s.name = any(string_to_array(d.subtypes, ' '));

-- What nobody has reworded: rights are chosen by name, and dates in words are understood.
update schema_fields set help =
  '{"en": "What visitors may do with the text and the pictures.", "de": "Was Besuchende mit Text und Bildern tun dürfen.", "fr": "Ce que le public peut faire du texte et des images."}'
where name = 'rights' and help ->> 'en' = 'A rightsstatements.org or Creative Commons address.';

update schema_fields set help =
  '{"en": "When it was made, in words or in EDTF: about 1920, 1920s, 1900–1910, before 1800, 1920~.", "de": "Wann es entstand, in Worten oder in EDTF: um 1920, 1920er Jahre, 1900–1910, vor 1800, 1920~.", "fr": "Quand il a été fait, en mots ou en EDTF : vers 1920, années 1920, 1900–1910, avant 1800, 1920~."}'
where record_type = 'object' and name = 'date' and help ->> 'en' like 'When it was made, in EDTF:%';
