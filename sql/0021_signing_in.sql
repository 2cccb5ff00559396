-- Why: processes that share a database sign access tokens with the same key, also when nobody has set SECRET_KEY; who signs in
-- from an address that the account has come from before is not kept out by what strangers try; and who watches the numbers of
-- the service (/metrics) need not read its jobs, which tell what is in records.

-- One row at most, made by the first process that needs it. In no backup, dump, export or answer.
create table instance_secret (
  one boolean primary key default true check (one),
  -- 32 random bytes as hexadecimal digits
  signing_key text not null check (signing_key ~ '^[0-9a-f]{64}$'),
  made_at timestamptz not null default now()
);

create index security_events_signed_in on security_events (account_id, at desc, client)
  where event = 'login_succeeded';

-- Whoever could see the numbers until now goes on seeing them.
update roles set permissions = jsonb_set(permissions, '{features}', permissions -> 'features' || '["metrics:read"]')
where permissions -> 'features' ? 'jobs:read' and not permissions -> 'features' ? 'metrics:read';

update api_keys set permissions = permissions || '{metrics:read}'::text[]
where 'jobs:read' = any(permissions) and not 'metrics:read' = any(permissions);
