-- Why: the pages show the museum's own name, texts, logo and colours.

-- At most one row; none: nothing has been set.
create table settings (
  singleton boolean primary key default true check (singleton),
  content jsonb not null
);

create trigger settings_changed after insert or update or delete on settings
  for each statement execute function configuration_changed();
