-- Why: beside the current location of an object, a field for notes had the same name.
update schema_fields f set label = f.label || new.label
from (values ('{"en": "Note on the location", "de": "Anmerkung zum Standort", "fr": "Remarque sur l’emplacement"}'::jsonb)) new (label)
where f.record_type = 'object' and f.name = 'current_location_note'
  and f.label = '{"en": "Current location", "de": "Aktueller Standort", "fr": "Emplacement actuel"}'::jsonb;
