-- Why: an edit of many records at once is found and taken back as one, as imports are.

alter table imports drop constraint imports_source_check;
alter table imports add constraint imports_source_check check (source in ('csv', 'xml', 'bulk', 'edit'));
