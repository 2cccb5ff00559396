-- Why: the search finds objects by their collection status and counts them by it, so each is projected anew. Meanwhile
-- they are found as before.

insert into outbox (target, record_id, hides)
select 'search', id, false from records where record_type = 'object' and deleted_at is null
on conflict (target, record_id) do update set version = outbox.version + 1, due_at = now(), attempts = 0;
