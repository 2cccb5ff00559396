-- Why: museums are asked for years where an object was, since when, why, and who moved it. Links only know where it is now.

-- One row for each move. The place that an object left is that of its previous row, so the history has no gaps, and the last
-- row is where the object is. `to_name` is null if it has no place any more; the name stays when the place is purged.
create table movements (
  object_id uuid not null references records (id) on delete cascade,
  at timestamptz not null,
  to_id uuid references records (id) on delete set null,
  to_name text,
  -- when it was moved; null if nobody said so
  day date,
  reason text,
  -- such as the loan that it was moved for
  procedure_id uuid references records (id) on delete set null,
  actor_id uuid,
  import_id uuid,
  primary key (object_id, at)
);

create index movements_to on movements (to_id, at);
create index movements_procedure on movements (procedure_id) where procedure_id is not null;

-- Fills the table from the history of objects and their links, for catalogues that have no movements yet: places that objects
-- left, also those that sql/0056_one_current_place.sql ended, and the movements that were recorded as procedures.
create function trace_movements() returns void language sql as $$
  with noted as (
    select v.record_id, v.version, v.at, v.actor_id, v.import_id, r.created_at, e.came, e.link, e.place
    from revisions v join records r on r.id = v.record_id cross join lateral (
      select true as came, link, place from jsonb_array_elements(v.note -> 'added') with ordinality x(link, place)
        where jsonb_typeof(v.note -> 'added') = 'array'
      union all
      select false, link, place from jsonb_array_elements(v.note -> 'removed') with ordinality x(link, place)
        where jsonb_typeof(v.note -> 'removed') = 'array'
      union all
      select v.action = 'relation_added', v.note, 1 where v.action in ('relation_added', 'relation_removed')
        and v.note ? 'to_id') e
    where e.link ->> 'relation_type' = 'stored_at'),
  -- links of records at their other end name both
  ends as (
    select coalesce((link ->> 'from_id')::uuid, record_id) as object_id, (link ->> 'to_id')::uuid as to_id,
      (link ->> 'created_at')::timestamptz as made_at, came, version, record_id, at, actor_id, import_id, created_at, place
    from noted),
  events as (
    select from_id as object_id, created_at as at, to_id, null::uuid[] as was_at, created_by as actor_id, import_id
      from relations where relation_type = 'stored_at'
    union all
    select object_id, at, to_id, null, actor_id, import_id from ends where came
    union all
    select object_id, made_at, to_id, null, null, null from ends where not came and made_at is not null
    union all
    -- nobody noted when it came there
    select object_id, created_at + place * interval '1 microsecond', to_id, null, null, null from ends e
      where not came and made_at is null
        and not exists (select 1 from ends o where o.came and o.object_id = e.object_id and o.to_id = e.to_id and o.at < e.at)
    union all
    select object_id, at, null, array_agg(to_id), actor_id, import_id from ends e
      where not came and not exists (
        select 1 from ends o where o.came and o.record_id = e.record_id and o.version = e.version
          and o.object_id = e.object_id)
      group by object_id, at, actor_id, import_id),
  there as (
    select e.* from events e join records o on o.id = e.object_id and o.purged_at is null),
  -- a link ends only where the object was
  true_events as (
    select * from (
      select *, lag(to_id) over w as before from there
      window w as (partition by object_id order by at, to_id nulls last)) x
    where to_id is not null or before = any(was_at)),
  runs as (
    select *, count(*) filter (where is_other) over (partition by object_id order by at, to_id nulls last) as run from (
      select *, to_id is distinct from lag(to_id) over (partition by object_id order by at, to_id nulls last) as is_other
      from true_events) x),
  moves as (
    select object_id, min(at) as at, (array_agg(to_id))[1] as to_id, (array_agg(actor_id) filter (where actor_id is not null))[1]
      as actor_id, (array_agg(import_id) filter (where import_id is not null))[1] as import_id
    from runs where run > 0 group by object_id, run)
  insert into movements (object_id, at, to_id, to_name, day, reason, procedure_id, actor_id, import_id)
  select m.object_id, m.at, p.id, case when m.to_id is not null then coalesce(p.title, '?') end, c.start_date,
    c.metadata #>> '{note,0,value}', c.id, m.actor_id, m.import_id
  from moves m left join records p on p.id = m.to_id
    left join lateral (
      select c.* from relations l join records c on c.id = l.to_id and c.subtype = 'location_and_movement'
      where l.from_id = m.object_id and l.relation_type = 'subject_of_procedure' and l.created_at = m.at
      limit 1) c on true
$$;

-- Writes what has changed of the places of these objects. The one way into the table.
create function note_movements(objects uuid[], actor uuid, import uuid, day date, reason text, procedure uuid)
returns void language sql as $$
  insert into movements (object_id, at, to_id, to_name, day, reason, procedure_id, actor_id, import_id)
  select o.id, greatest(clock_timestamp(), m.at + interval '1 microsecond'), l.to_id,
    case when l.to_id is not null then p.title end, note_movements.day, note_movements.reason, procedure, actor, import
  from (select distinct unnest(objects)) o(id)
    join records r on r.id = o.id
    left join relations l on l.from_id = o.id and l.relation_type = 'stored_at'
    left join records p on p.id = l.to_id
    left join lateral (
      select to_id, at from movements where object_id = o.id order by at desc limit 1) m on true
  where m.to_id is distinct from l.to_id
$$;

select trace_movements();
-- where the notes do not tell how an object came to its place
select note_movements(array(select from_id from relations where relation_type = 'stored_at' union select object_id from movements),
  null, null, null, null, null);
