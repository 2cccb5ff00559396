-- Why: an import reads its file once, into rows that wait here; what it must know of other rows, it asks this table. The rows
-- go when the import ends.

drop table deferred_links;

create table staged_rows (
  -- of version 7: it begins with the time
  run_id uuid not null,
  number integer not null,
  -- the row and what the mapping makes of it, as JSON; not jsonb, which refuses the character U+0000
  content text not null,
  -- what its record waits for until the last row is saved, as JSON
  waiting text,
  primary key (run_id, number)
);

-- Names by which rows may be called (number, key, title), with the number of the row; with 0, what the import remembers.
create table staged_names (
  run_id uuid not null,
  -- md5, because an index cannot hold long names
  name uuid not null,
  number integer not null,
  is_refused boolean not null default false,
  primary key (run_id, name, number)
);
