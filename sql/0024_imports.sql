-- Why: of two processes that go on with one import only the later may write, so its runs are counted; and a number that
-- was typed on a Mac (letters and accents apart, NFD) is the same number as one with both in one (NFC), as all are now.

alter table imports add column runs integer not null default 1;

-- where two records have one number now, both keep theirs: somebody must say which of them it is
with apart as materialized (
  select id, record_type, normalize(idno, nfc) as idno from records
  where case when getdatabaseencoding() = 'UTF8' then idno is not nfc normalized else false end
), composed as (
  update records r set idno = a.idno from apart a
  where r.id = a.id and length(a.idno) <= 200
    and not exists (select 1 from records o where o.record_type = a.record_type and o.idno = a.idno)
    and not exists (select 1 from apart o where o.record_type = a.record_type and o.idno = a.idno and o.id <> a.id)
  returning r.id, r.deleted_at
)
insert into outbox (target, record_id)
select 'search', id from composed where deleted_at is null
on conflict (target, record_id) do update set version = outbox.version + 1, due_at = now(), attempts = 0;
