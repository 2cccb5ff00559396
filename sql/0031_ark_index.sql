-- Why: nearly all ARKs have one number. An index that begins with it is what the planner took while it had no statistics, and
-- looking for 500 records without a name read all names each time.

alter table arks drop constraint arks_pkey;
alter table arks add primary key (name, naan);
