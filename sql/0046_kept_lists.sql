-- Why: staff keep under a name what they ask of a list, and what the columns of a list that they import mean.

create table list_views (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  record_type text not null,
  name text not null check (length(name) between 1 and 100),
  -- as it stands in the address of the list
  query text not null check (length(query) <= 2000),
  is_shared boolean not null default false,
  created_at timestamptz not null default now()
);

create unique index list_views_name on list_views (account_id, record_type, lower(name));

create table import_mappings (
  id uuid primary key,
  record_type text not null,
  name text not null check (length(name) between 1 and 100),
  -- a list of column, target, split, lang; and the options of the form by name
  columns jsonb not null,
  options jsonb not null,
  changed_at timestamptz not null default now()
);

create unique index import_mappings_name on import_mappings (record_type, lower(name));
