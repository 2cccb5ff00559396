-- Why: who is signed in somewhere, and which programs act for whom. Both kinds of secret are kept as hashes only.

-- A session is one browser or program that signed in; its refresh token changes at every use.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  -- of the account when the session began: a password change, disabling and "log out everywhere" end all older ones
  token_version integer not null,
  -- SHA-256, hexadecimal. The part of the token that stays: shown with another secret, an old token is being used again
  family_hash text not null unique,
  -- SHA-256 of the part that changes at every use
  secret_hash text not null,
  previous_hash text,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now()
);

create index sessions_account on sessions (account_id, refreshed_at desc);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null check (name <> ''),
  -- the beginning of the key, by which people recognise it
  key_prefix text not null unique,
  -- SHA-256 of the whole key, hexadecimal
  key_hash text not null unique,
  -- what it may do at most, in words as records:read and media:write; at each use only what its owner may do too
  permissions text[] not null,
  expires_at timestamptz,
  -- to the minute
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index api_keys_account on api_keys (account_id, created_at, id);
