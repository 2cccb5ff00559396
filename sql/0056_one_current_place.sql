-- Why: an object is in one place. Links made by imports and by the API could give it two, and no list said which of them is true.

-- Ends all but the newest: like a link that somebody removes, the others are noted in the history of the object.
create function end_earlier_places() returns void language sql as $$
  with ended as (
    delete from relations where id in (
      select id from (
        select id, row_number() over (partition by from_id order by created_at desc, id desc) as place
        from relations where relation_type = 'stored_at') ranked
      where place > 1)
    returning *),
  noted as (
    select from_id as id, jsonb_agg(jsonb_build_object('from_id', from_id, 'to_id', to_id, 'relation_type', relation_type,
      'metadata', metadata) order by created_at, id) as links
    from ended group by from_id),
  changed as (
    update records r set version = r.version + 1, updated_by = null,
      updated_at = greatest(clock_timestamp(), r.updated_at + interval '1 microsecond')
    from noted n where r.id = n.id
    returning r.*, n.links),
  marked as (
    insert into outbox (target, record_id, hides)
    select p.target, c.id, false from changed c cross join projections p
    where p.about = 'all' or c.published_at is not null
    on conflict (target, record_id) do update set version = excluded.version)
  insert into revisions (record_id, version, at, action, before, note)
  select id, version, clock_timestamp(), 'relation_removed', jsonb_build_object('idno', idno, 'subtype', subtype,
    'status', status, 'collection_status', collection_status, 'metadata', metadata, 'lat', lat, 'lon', lon,
    'parent_id', parent_id, 'start_date', start_date, 'end_date', end_date, 'due_date', due_date,
    'reference_number', reference_number), jsonb_build_object('added', '[]'::jsonb, 'removed', links)
  from changed
$$;

select end_earlier_places();

create unique index relations_one_place on relations (from_id) where relation_type = 'stored_at';
