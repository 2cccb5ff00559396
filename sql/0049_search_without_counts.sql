-- Why: facets and suggestions are counted from columns in memory. So no write corrects stored counts any more.
drop table search_counts_a;
drop table search_counts_b;
alter table search_state drop column is_uncounted;
