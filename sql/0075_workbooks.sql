-- Why: lists are imported from workbooks (.xlsx), too.

alter table imports drop constraint imports_source_check;
alter table imports add constraint imports_source_check check (source in ('csv', 'xlsx', 'xml', 'bulk', 'edit'));
