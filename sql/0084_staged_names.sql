-- Why: nothing reads or writes this column: a name that a refused row has is looked for like any other.
alter table staged_names drop column is_refused;
