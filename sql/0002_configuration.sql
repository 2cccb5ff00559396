-- Why: what an installation decides for itself: fields, subtypes, vocabularies and relation types.

-- One row. `version` changes with every change of configuration, so that every process knows when its copy is old;
-- `visibility_epoch` changes when a field is hidden or shown, so that caches never keep what was taken back.
create table configuration (
  singleton boolean primary key default true check (singleton),
  version bigint not null default 1,
  visibility_epoch integer not null default 0
);

insert into configuration default values;

create table vocabularies (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label jsonb not null default '{}',
  description jsonb not null default '{}',
  uri text
);

create table vocabulary_terms (
  id uuid primary key default gen_random_uuid(),
  vocabulary text not null references vocabularies (name) on delete cascade on update cascade,
  value text not null check (value <> '' and length(value) <= 500),
  label jsonb not null default '{}',
  uri text,
  broader_id uuid references vocabulary_terms (id) on delete set null,
  sort_order integer not null default 0,
  unique (vocabulary, value),
  check (broader_id <> id)
);

create index vocabulary_terms_broader on vocabulary_terms (broader_id) where broader_id is not null;

create table schema_fields (
  record_type text not null check (record_type in
    ('object', 'entity', 'place', 'occurrence', 'procedure', 'collection', 'storage_location')),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label jsonb not null default '{}',
  help jsonb not null default '{}',
  field_type text not null check (field_type in ('text', 'richtext', 'date', 'number', 'boolean', 'vocab',
    'vocab_free', 'relation', 'geo', 'url', 'authority', 'measurement')),
  vocabulary text references vocabularies (name) on update cascade,
  is_required boolean not null default false,
  is_repeatable boolean not null default false,
  is_translatable boolean not null default false,
  is_searchable text check (is_searchable in ('A', 'B', 'C', 'D')),
  is_facet boolean not null default false,
  is_public boolean not null default false,
  sort_order integer not null default 0,
  mapping jsonb not null default '{}',
  primary key (record_type, name),
  check (field_type not in ('vocab') or vocabulary is not null)
);

create table record_subtypes (
  record_type text not null,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label jsonb not null default '{}',
  is_default boolean not null default false,
  sort_order integer not null default 0,
  primary key (record_type, name)
);

create unique index record_subtypes_default on record_subtypes (record_type) where is_default;

create table relation_types (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  inverse text not null check (inverse ~ '^[a-z][a-z0-9_]{0,62}$'),
  label jsonb not null default '{}',
  inverse_label jsonb not null default '{}',
  from_types text[] not null check (cardinality(from_types) > 0),
  to_types text[] not null check (cardinality(to_types) > 0),
  is_public boolean not null default true,
  sort_order integer not null default 0,
  mapping jsonb not null default '{}'
);

alter table relations add foreign key (relation_type) references relation_types (name) on update cascade;

create function configuration_changed() returns trigger language plpgsql as $$
begin
  update configuration set version = version + 1;
  return null;
end $$;

create function field_visibility_changed() returns trigger language plpgsql as $$
begin
  update configuration set visibility_epoch = visibility_epoch + 1;
  return null;
end $$;

create trigger schema_fields_changed after insert or update or delete on schema_fields
  for each statement execute function configuration_changed();
create trigger record_subtypes_changed after insert or update or delete on record_subtypes
  for each statement execute function configuration_changed();
create trigger relation_types_changed after insert or update or delete on relation_types
  for each statement execute function configuration_changed();
create trigger vocabularies_changed after insert or update or delete on vocabularies
  for each statement execute function configuration_changed();
create trigger vocabulary_terms_changed after insert or update or delete on vocabulary_terms
  for each statement execute function configuration_changed();
