-- Why: labels, terms and mappings are shown with the records. A harvester, and the triple store, must learn when they change.

-- The version of the configuration as of which a projection shows its records; of those that were there before, an old one.
alter table projections add column configuration_version bigint not null default 0;
