-- Why: from here on, hiding or showing a field is told to every cache (the default schema before it was no change).

create trigger schema_fields_visibility after update on schema_fields
  for each row when (old.is_public is distinct from new.is_public)
  execute function field_visibility_changed();
create trigger schema_fields_removed after delete on schema_fields
  for each row execute function field_visibility_changed();
create trigger relation_types_visibility after update on relation_types
  for each row when (old.is_public is distinct from new.is_public)
  execute function field_visibility_changed();
