-- Why: what takes longer than a request is done beside it, by whichever process has time, and outlives that process.

create table jobs (
  id uuid primary key,
  -- src/jobs/kinds.ts; a kind that this program does not know stays where it is
  kind text not null check (kind <> ''),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  params jsonb not null default '{}' check (octet_length(params::text) <= 65536),
  -- while one is queued or running there is no second one with the same key
  unique_key text,
  -- the time of the timetable at which it was due: put in once, however many processes have a timetable
  due_at timestamptz,
  -- null: nobody knows yet how much there is to do
  total integer check (total >= 0),
  done integer not null default 0 check (done >= 0),
  result jsonb check (octet_length(result::text) <= 65536),
  -- why it failed, or will be tried again
  reason text check (length(reason) <= 500),
  -- the last things that it said: [{"at", "text"}]
  messages jsonb not null default '[]' check (jsonb_array_length(messages) <= 20),
  attempts integer not null default 0,
  -- whose run it is; who has another one, or none, changes nothing. All times are the database's
  lease uuid,
  leased_until timestamptz,
  cancel_requested boolean not null default false,
  run_after timestamptz not null default now(),
  -- the account; null: the timetable, or svc-manage
  created_by uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- one more for each change that can be seen, so that whoever watches knows what is new
  revision integer not null default 1,
  check ((state = 'running') = (lease is not null)),
  check ((lease is null) = (leased_until is null)),
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);

create unique index jobs_unique_key on jobs (unique_key) where state in ('queued', 'running');
create unique index jobs_lease on jobs (lease) where lease is not null;
create unique index jobs_due_once on jobs (kind, due_at) where due_at is not null;
create index jobs_waiting on jobs (run_after, id) where state in ('queued', 'running');
create index jobs_newest on jobs (created_at desc, id desc);
