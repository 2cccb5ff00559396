-- Why: the search counts records by their subtype and finds them by it, so each is projected anew. Meanwhile they are
-- found as before.

insert into outbox (target, record_id, hides)
select 'search', id, false from records where deleted_at is null
on conflict (target, record_id) do update set version = outbox.version + 1, due_at = now(), attempts = 0;
