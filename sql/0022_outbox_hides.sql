-- Why: a record that waits for its projection is hidden from visitors' word search, lest they find it by a word that was
-- taken back. Where nothing was taken back (the maker has another name, a field became a facet) it stays found meanwhile.

alter table outbox add column hides boolean not null default true;

-- each search of a visitor asks for these; an import may leave tens of thousands of others
create index outbox_hides on outbox (target, record_id) where hides;
