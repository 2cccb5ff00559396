-- Why: lists in the order of numbers, and the records whose keys are to be made. Not in the file that adds the column, whose lock
-- would stop readers meanwhile.

-- with the status, so that deep pages of visitors are found in the index alone
create index records_number on records (record_type, sort_idno, id) include (status) where deleted_at is null;
create index records_without_keys on records (id) where sort_idno = '' and purged_at is null;
