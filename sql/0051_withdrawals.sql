-- Why: files that were made of everything public must not be served once something in them is public no more. Whoever writes,
-- and by whatever program, notes that here, in the same transaction.

-- One row for each statement that took something back. Whoever makes new files removes the rows that were there before.
create table withdrawals (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp()
);

-- Whether something in `before` is missing in `after`: a value that is gone or replaced; a value that is added is not. Of the
-- columns all are shown but those named, so that a new one counts until somebody says that it does not.
create function takes_back(before jsonb, after jsonb, unshown text[]) returns boolean immutable language sql as $$
  select not after @> jsonb_strip_nulls(before - unshown)
$$;

-- The version of the configuration that last took back something that is shown with records. A projection that was filled
-- with an older one may still have it.
alter table configuration add column taken_back_version bigint not null default 0;

create function withdraw() returns trigger language plpgsql as $$
begin
  insert into withdrawals default values;
  if tg_table_name <> 'settings' then
    -- the version that this statement will make, or an earlier one of the same transaction
    update configuration set taken_back_version = version + 1;
  end if;
  return null;
end $$;

create function withdraw_of_records() returns trigger language plpgsql as $$
begin
  insert into withdrawals (at)
  select clock_timestamp() where exists (
    select 1 from old_rows b join new_rows a using (id)
      left join (select record_type, array_agg(name) as names from schema_fields where not is_public group by 1) hidden
        on hidden.record_type = b.record_type
    where b.status = 'public' and b.deleted_at is null and (a.status <> 'public' or a.deleted_at is not null
      or takes_back(b.metadata, a.metadata, coalesce(hidden.names, '{}'))
      or takes_back(to_jsonb(b), to_jsonb(a), '{metadata, title, sort_title, version, published_at, updated_at, created_by,
        updated_by}')));
  return null;
end $$;

create trigger records_withdraw after update on records
  referencing old table as old_rows new table as new_rows for each statement execute function withdraw_of_records();

create function withdraw_of_relations() returns trigger language plpgsql as $$
begin
  insert into withdrawals (at)
  select clock_timestamp() where exists (
    select 1 from old_rows b join relation_types t on t.name = b.relation_type and t.is_public
      join records f on f.id = b.from_id and f.status = 'public' and f.deleted_at is null
      join records r on r.id = b.to_id and r.status = 'public' and r.deleted_at is null);
  return null;
end $$;

-- a link is changed for one role or note instead of another, so every change of one counts
create trigger relations_withdraw_changed after update on relations
  referencing old table as old_rows for each statement execute function withdraw_of_relations();
create trigger relations_withdraw_removed after delete on relations
  referencing old table as old_rows for each statement execute function withdraw_of_relations();

create function withdraw_of_media() returns trigger language plpgsql as $$
begin
  insert into withdrawals (at)
  select clock_timestamp() where exists (
    select 1 from old_rows b join new_rows a using (id)
      join records r on r.id = b.object_id and r.status = 'public' and r.deleted_at is null
    where b.visibility = 'public' and b.deleted_at is null and (a.deleted_at is not null
      or takes_back(to_jsonb(b), to_jsonb(a), '{storage_key, status, error_detail, pyramid_key, prepare_attempts,
        private_parts, is_primary, position, version, updated_at, created_by, updated_by}')));
  return null;
end $$;

create trigger object_media_withdraw after update on object_media
  referencing old table as old_rows new table as new_rows for each statement execute function withdraw_of_media();

-- what an installation configures is shown with its records
create trigger schema_fields_withdraw_changed after update on schema_fields for each row
  when (old.is_public and takes_back(to_jsonb(old), to_jsonb(new), '{help, is_required, is_repeatable, is_translatable,
    is_searchable, is_facet, sort_order}'))
  execute function withdraw();
create trigger schema_fields_withdraw_removed after delete on schema_fields for each row
  when (old.is_public) execute function withdraw();
create trigger relation_types_withdraw_changed after update on relation_types for each row
  when (old.is_public and takes_back(to_jsonb(old), to_jsonb(new), '{from_types, to_types, sort_order}'))
  execute function withdraw();
create trigger record_subtypes_withdraw_changed after update on record_subtypes for each row
  when (takes_back(to_jsonb(old), to_jsonb(new), '{is_default, sort_order}')) execute function withdraw();
create trigger vocabularies_withdraw_changed after update on vocabularies for each row
  when (takes_back(to_jsonb(old), to_jsonb(new), '{}')) execute function withdraw();
create trigger vocabulary_terms_withdraw_changed after update on vocabulary_terms for each row
  when (takes_back(to_jsonb(old), to_jsonb(new), '{sort_order}')) execute function withdraw();
create trigger vocabulary_terms_withdraw_removed after delete on vocabulary_terms for each row
  execute function withdraw();
create trigger settings_withdraw_changed after update on settings for each row
  when (takes_back(old.content, new.content, '{logo, accent_colour, accent_colour_dark, typeface, highlights, viewer_url}'))
  execute function withdraw();
create trigger settings_withdraw_removed after delete on settings for each row execute function withdraw();
