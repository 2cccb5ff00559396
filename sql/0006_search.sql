-- Why: the search index that lives in the database: a projection of the records, rebuilt from them at any time.

-- Facet fields by number. The first value of fields 1 to 32 sits at its own place in record_search.terms.
create table search_fields (
  field_no smallint primary key check (field_no between 1 and 127),
  name text not null unique
);

create sequence search_term_numbers as integer minvalue 1 maxvalue 16777215;

-- Dictionary of facet values: term = field_no * 2^24 + n, so that a term tells its field.
create table search_terms (
  term integer primary key,
  value text not null
);

create unique index search_terms_value on search_terms ((term >> 24), md5(value));

create table record_search (
  id uuid primary key,
  record_type "char" not null,
  status "char" not null,
  collection_status "char" not null,
  -- places 1 to 32: first value of that field, 0 for none; from 33: all further values
  terms integer[] not null,
  -- Searchable words by weight. Words of private fields and of records that are not public carry a mark (~word), which
  -- no visitor's query has: what a visitor may not see is not in the words that a visitor can ask for.
  words tsvector not null
);

create index record_search_words on record_search using gin (words)
  with (fastupdate = on, gin_pending_list_limit = 256);
create index record_search_terms on record_search using gin (terms)
  with (fastupdate = on, gin_pending_list_limit = 256);
create index record_search_order on record_search (status, record_type, id);

-- Without statistics of words the planner always asks the index. With them it reads the whole table for a common word,
-- which takes twice as long, since it does not know what unpacking a tsvector costs.
alter table record_search alter column words set statistics 0;
alter table record_search alter column terms set statistics 0;

-- How often each term stands in the index, kept exact by every write; term 0 counts the records themselves.
create table search_counts (
  record_type "char" not null,
  status "char" not null,
  collection_status "char" not null,
  term integer not null,
  n integer not null,
  primary key (term, record_type, status, collection_status)
) with (fillfactor = 70);

create index search_counts_field on search_counts ((term >> 24));
