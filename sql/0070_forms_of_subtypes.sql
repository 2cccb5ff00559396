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
