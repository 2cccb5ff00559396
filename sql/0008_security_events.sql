-- Why: who came in, who was refused, who changed what others may do; written for ever, read by administrators.

create table security_events (
  id uuid primary key,
  at timestamptz not null default now(),
  -- what happened: login_succeeded, login_failed, password_changed, key_created, role_changed …
  event text not null check (event ~ '^[a-z][a-z_]{2,62}$'),
  -- who did it; null for visitors and for the program itself. No reference: accounts may go, what they did stays
  actor_id uuid,
  -- the account that it was done to or with
  account_id uuid,
  -- the address of the client; null when nobody knows
  client text,
  detail jsonb not null default '{}'
);

create index security_events_at on security_events (at desc, id);
create index security_events_account on security_events (account_id, at desc) where account_id is not null;

create trigger security_events_append_only before update or delete on security_events
  for each row execute function refuse_change();
create trigger security_events_not_emptied before truncate on security_events
  for each statement execute function refuse_change();
