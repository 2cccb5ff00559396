-- Why: a picture over which the process dies must not be begun for ever, and one whose file cannot be reached for a while
-- must not keep the others waiting.

alter table object_media
  add column prepare_attempts smallint not null default 0,
  add column prepare_after timestamptz not null default '-infinity';
