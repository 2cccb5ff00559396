-- Why: a search that counts a facet should know beforehand whether any record has a second value of it. Term n * 2^24,
-- which is no value, counts the records with further values of field n.

insert into search_counts (record_type, status, collection_status, term, n)
select s.record_type, s.status, s.collection_status, f.field_no << 24, count(*)
from record_search s
  cross join lateral (select distinct t >> 24 as field_no from unnest(s.terms[33:]) t) f
group by s.record_type, s.status, s.collection_status, f.field_no;
