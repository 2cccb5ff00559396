-- Why: besides the search index more is made from records (linked data, public dates). Whoever writes marks its records for
-- all that is enabled, in its own transaction and whatever program it is: so what is enabled stands beside the records.

create table projections (
  target text primary key,
  -- published: only records that are, or once were, public
  about text not null check (about in ('all', 'published')),
  -- false: since it was enabled it has not been brought into agreement with the records that were there already
  is_filled boolean not null
);

insert into projections (target, about, is_filled) values ('search', 'all', true);
