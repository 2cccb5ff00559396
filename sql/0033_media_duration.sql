-- Why: a IIIF canvas of a film or a sound says how long it is. Media that were sent before have no length; their files do.

alter table object_media add column duration double precision check (duration > 0);
