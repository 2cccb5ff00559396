-- Why: soft hyphens and blanks of no width no longer part a word, and the sigma at the end of a Greek word is a sigma.
-- Records that have such letters, or point at one that has, are projected anew.

-- where a soft hyphen stands, lists sort by what it was until the record is saved again
update records set sort_title = replace(sort_title, 'ς', 'σ') where sort_title like '%ς%';
update search_terms set folded = replace(folded, 'ς', 'σ') where folded like '%ς%';

with changed as materialized (
  select id from records where concat_ws(' ', idno, title, metadata::text) ~ e'[\u00ad\u200b\u2060\ufeff\u03c2\u03a3]')
insert into outbox (target, record_id)
select 'search', r.id from records r
where r.deleted_at is null and (
  r.id in (select id from changed)
  or exists (select 1 from relations l where l.from_id = r.id and l.to_id in (select id from changed)))
on conflict (target, record_id) do update set version = outbox.version + 1, due_at = now(), attempts = 0;
