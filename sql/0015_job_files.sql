-- Why: an import over the API needs its file longer than the request that brought it, and leaves refused rows behind;
-- whichever process does the job must find the one and be able to keep the other.

create table job_files (
  -- no foreign key: the file is here before its job, which is put in once all of it has arrived
  job_id uuid not null,
  name text not null check (name in ('input', 'mapping', 'rejects', 'preview')),
  part integer not null check (part >= 0),
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (job_id, name, part)
);
