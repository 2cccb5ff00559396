-- Why: records get names that outlive their addresses (ARK). A name is given out once and stays taken for ever, so its row
-- hangs on no other: it stays when the record is purged, and when the catalogue is emptied.

create table arks (
  naan text collate "C" not null,
  -- lower case, without hyphens, with its check character
  name text collate "C" not null,
  record_id uuid not null,
  minted_at timestamptz not null default now(),
  primary key (naan, name),
  unique (record_id, naan)
);
