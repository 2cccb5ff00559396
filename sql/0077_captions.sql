-- Why: films and sounds have captions, which are WebVTT files of the same object.

alter table object_media drop constraint object_media_category_check;
alter table object_media add constraint object_media_category_check
  check (category in ('image', 'pdf', 'audio', 'video', '3d', 'captions'));
