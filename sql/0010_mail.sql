-- Why: mail goes out when the relay takes it, not while somebody waits for an answer; and who forgot a password gets a new one by mail.

-- A to-do list: what is sent is deleted. No text and no token lies here: both are made when the mail is sent.
create table mail_queue (
  id uuid primary key,
  kind text not null check (kind in ('password_reset')),
  -- null when nobody has the address that was typed: such a request leaves the same row, and the worker drops it
  account_id uuid references accounts (id) on delete cascade,
  asked_at timestamptz not null default now(),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- why the last try failed, or why there is none any more
  last_error text,
  given_up_at timestamptz
);

create index mail_queue_due on mail_queue (due_at) where given_up_at is null;
create index mail_queue_account on mail_queue (account_id) where account_id is not null;

-- At most one an account, so that a new one ends the older.
create table password_resets (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- SHA-256 of the token in hexadecimal; the token itself is only in the mail
  token_hash text not null unique,
  -- a password that changes in another way ends the reset too
  token_version integer not null,
  expires_at timestamptz not null
);
