-- Why: files and rows cannot change in one transaction. The key of a file is written here before the file is, and leaves with
-- the transaction that makes its row; a row that is deleted puts the keys of its files back. So a file that nobody names
-- is always named here, and a process that is killed at any moment leaves none behind for ever.

create table stray_files (
  key text primary key,
  -- from then on it may be removed: an upload that has not ended by then never will
  due_at timestamptz not null
);

create index stray_files_due on stray_files (due_at);

create function leave_files() returns trigger language plpgsql as $$
begin
  insert into stray_files (key, due_at)
  select k, now() from unnest(array[old.storage_key, old.pyramid_key]) k where k is not null
  on conflict (key) do update set due_at = excluded.due_at;
  return null;
end $$;

create trigger object_media_leave_files after delete on object_media
  for each row execute function leave_files();
