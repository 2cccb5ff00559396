-- Why: the guide for the first hour has no step about fields any more.

drop trigger schema_fields_chosen on schema_fields;
drop trigger record_subtypes_chosen on record_subtypes;
drop function fields_were_chosen();
alter table configuration drop column fields_chosen;
