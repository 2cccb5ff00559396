-- Why: imports make two terms of one word. Merging them keeps the address and the value of the one that goes, and all
-- that an undo needs.

create table term_merges (
  term_id uuid primary key,
  vocabulary text not null references vocabularies (name) on delete cascade,
  into_id uuid not null,
  -- of the merged term
  value text not null,
  uri text,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid
);

-- What a merge has moved, until it is too late to undo it.
create table term_undos (
  term_id uuid primary key references term_merges (term_id) on delete cascade,
  moved jsonb not null
);

create index term_merges_into on term_merges (into_id, at);

-- Each merged term with what it is now: the last one of the way.
create view merged_terms as
with recursive way as (
  select term_id as id, vocabulary, value, uri, at, into_id from term_merges
  union
  select w.id, w.vocabulary, w.value, w.uri, w.at, m.into_id from way w join term_merges m on m.term_id = w.into_id)
select w.id, w.vocabulary, w.value, w.uri, w.at, t.id as now_id, t.value as now
from way w join vocabulary_terms t on t.id = w.into_id;

-- Two terms that somebody has compared and found different are never offered for merging again.
create table not_duplicate_terms (
  low_id uuid not null references vocabulary_terms (id) on delete cascade,
  high_id uuid not null references vocabulary_terms (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  primary key (low_id, high_id),
  check (low_id < high_id)
);

create index not_duplicate_terms_high on not_duplicate_terms (high_id);
