-- Why: an import makes the links to records of later rows at its end. Until then they wait here, so that the file need not be read again.

create table deferred_links (
  run_id uuid not null,
  batch integer not null,
  -- rows of the file with their links, as JSON; not jsonb, which refuses the character U+0000
  waiting text not null,
  created_at timestamptz not null default now(),
  primary key (run_id, batch)
);
