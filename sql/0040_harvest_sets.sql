-- Why: harvesters ask for a part of the catalogue: a collection with what is below it, or what a search finds.

-- Kept when a record is public no more, since those who harvest a set must be told that it is gone. Other times of the
-- records that were there before: now they are filled anew.
alter table public_dates add column sets text[] not null default '{}';

update projections set configuration_version = 0 where target = 'public-dates';
