-- Why: titles of linked records that are not public have a mark of their own among the words of a record, since not all
-- staff may read every kind. Records with links are projected anew.

insert into outbox (target, record_id)
select 'search', id from records r
where deleted_at is null and exists (select 1 from relations l where l.from_id = r.id or l.to_id = r.id)
on conflict (target, record_id) do update set version = outbox.version + 1, due_at = now(), attempts = 0;
