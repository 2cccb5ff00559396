-- Why: a name that a file gives with the numbers of two people must not become one person. Which names these are is decided
-- before the first row is saved.

create table staged_ends (
  run_id uuid not null,
  -- md5 of type and name
  name uuid not null,
  authority text not null,
  iri text not null,
  -- the person, place or event as the row describes it, as JSON
  described text not null,
  primary key (run_id, name, authority, iri)
);
