-- Why: one person can be the painter of a work and the maker of its frame. So two records are linked once for each role,
-- and what is said of a link can be changed, which the history tells.
create unique index relations_once on relations (from_id, relation_type, to_id, md5(coalesce(metadata ->> 'role', '')));
alter table relations drop constraint relations_from_id_relation_type_to_id_key;

alter table revisions drop constraint revisions_action_check;
alter table revisions add constraint revisions_action_check check (action in ('created', 'updated', 'status_changed',
  'deleted', 'restored', 'reverted', 'relation_added', 'relation_changed', 'relation_removed', 'media_added',
  'media_changed', 'media_removed', 'media_restored'));
