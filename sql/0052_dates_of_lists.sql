-- Why: visitors' lists in the order of changes follow the public dates, so that it does not tell of private changes. A record has
-- a date from its publication on; those that still wait for their first one would be in no such list.

insert into public_dates (record_id, record_type, datestamp, fingerprint)
select id, record_type, date_trunc('second', published_at),
  case when status = 'public' and deleted_at is null and purged_at is null then '' end
from records where published_at is not null
on conflict do nothing;
