-- Why: a mark in the outbox was known by a number that began at 1 for each record. Whoever was slow could take a later
-- mark, which had begun at 1 again, for the one that it had claimed, and leave an old state in the index. No two marks
-- have the same number now.

alter table outbox alter column version set default (random() * 9007199254740991)::bigint;
