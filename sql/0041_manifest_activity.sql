-- Why: those who collect IIIF manifests ask which have come, changed and gone since they asked last (IIIF Change Discovery).

-- Of objects and collections: what happened to the manifest at this date. Null: there never was one.
alter table public_dates add column manifest_activity text
  check (manifest_activity in ('Create', 'Update', 'Delete'));

create index public_dates_activities on public_dates (datestamp, record_id) where manifest_activity is not null;

-- Whether what was there before came or changed then, nobody knows.
update public_dates d set manifest_activity = case when d.fingerprint is null then 'Delete' else 'Update' end
where d.record_type = 'collection' or (d.record_type = 'object' and (d.fingerprint is null or exists (
  select 1 from object_media m where m.object_id = d.record_id and m.visibility = 'public' and m.deleted_at is null)));
