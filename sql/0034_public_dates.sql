-- Why: harvesters, sitemaps and feeds of changes ask what has changed since they asked last, of what visitors may see. The
-- version of a record moves with private fields too, and not with the name of its maker.

-- A projection that is kept: when something public moved is known at that moment only.
create table public_dates (
  record_id uuid primary key references records (id) on delete cascade,
  record_type text not null,
  datestamp timestamptz not null check (datestamp = date_trunc('second', datestamp)),
  -- of everything public about the record; null: it was public once, and is no more
  fingerprint text
);

create index public_dates_all on public_dates (datestamp, record_id);
create index public_dates_type on public_dates (record_type, datestamp, record_id);
