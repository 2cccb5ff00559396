-- Why: the guide for the first minutes must know whether somebody has looked at the fields, and whether it is still wanted.

alter table configuration
  add column fields_chosen boolean not null default false,
  add column guide_closed boolean not null default false;

-- an installation that works already has its first minutes behind it
update configuration set fields_chosen = true, guide_closed = true where exists (select from records);

-- A later migration that changes the default fields sets `fields_chosen` back to what it was.
create function fields_were_chosen() returns trigger language plpgsql as $$
begin
  update configuration set fields_chosen = true where not fields_chosen;
  return null;
end $$;

create trigger schema_fields_chosen after insert or update or delete on schema_fields
  for each statement execute function fields_were_chosen();
create trigger record_subtypes_chosen after insert or update or delete on record_subtypes
  for each statement execute function fields_were_chosen();
