-- Why: who may do what. Roles are configuration; accounts are people.

create table roles (
  name text primary key check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label jsonb not null default '{}',
  sort_order integer not null default 0,
  -- {"records": {"<record_type>": ["read", "create", "update", "delete", "publish"]}, "features": ["media:write", …]}
  permissions jsonb not null
);

with kinds as (
  select unnest(array['object', 'entity', 'place', 'occurrence', 'procedure', 'collection', 'storage_location']) as kind
), records_of as (
  select
    jsonb_object_agg(kind, '["read", "create", "update", "delete", "publish"]'::jsonb) as everything,
    jsonb_object_agg(kind, '["read", "create", "update"]'::jsonb) as cataloguing,
    jsonb_object_agg(kind, '["read"]'::jsonb) as reading
  from kinds
)
insert into roles (name, label, sort_order, permissions)
select r.name, r.label::jsonb, r.sort_order, jsonb_build_object('records', r.records, 'features', r.features::jsonb)
from records_of, lateral (values
  ('superuser', '{"en": "Superuser", "de": "Superuser", "fr": "Super-utilisateur"}', 1, everything,
    '["media:write", "schemas:manage", "users:manage", "settings:manage", "search:reindex", "rdf:rebuild", "authority:read", "sparql:query", "jobs:read", "import:run", "backup:run"]'),
  ('admin', '{"en": "Administrator", "de": "Administration", "fr": "Administration"}', 2, everything,
    '["media:write", "schemas:manage", "users:manage", "settings:manage", "search:reindex", "rdf:rebuild", "authority:read", "sparql:query", "jobs:read", "import:run", "backup:run"]'),
  ('editor', '{"en": "Editor", "de": "Redaktion", "fr": "Rédaction"}', 3, everything,
    '["media:write", "authority:read", "sparql:query", "jobs:read", "import:run"]'),
  ('cataloger', '{"en": "Cataloguer", "de": "Erfassung", "fr": "Catalogage"}', 4, cataloguing,
    '["media:write", "authority:read", "sparql:query"]'),
  ('viewer', '{"en": "Viewer", "de": "Leserecht", "fr": "Lecture"}', 5, reading,
    '["authority:read", "sparql:query"]')
) as r (name, label, sort_order, records, features);

create table accounts (
  id uuid primary key,
  email text not null,
  -- the address as compared: Unicode-normalised and lower-cased, so that one person has one account
  email_key text not null unique,
  display_name text not null default '',
  password_hash text not null,
  role text not null references roles (name) on update cascade,
  must_change_password boolean not null default false,
  -- changes when the password changes or the account is disabled: older tokens end at once
  token_version integer not null default 1,
  disabled_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null default now()
);
