-- Why: a record that cannot be brought into a new search index no longer stops its rebuild, which says how many there were.

alter table search_rebuild add column failed uuid[] not null default '{}';
