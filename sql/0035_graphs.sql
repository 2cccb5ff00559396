-- Why: the embedded triple store lives in the memory of processes that may be killed at any time. What it holds stands here,
-- so that each of them fills itself in seconds, and follows what any process of the service writes.

create table graphs (
  -- urn:svc:graph:<type>:<uuid>
  name text primary key,
  record_id uuid not null,
  -- N-Triples; empty: it is not public any more
  triples text not null,
  -- grows with each change, in the order of the commits
  changed bigint not null
);

create sequence graphs_changed owned by graphs.changed;
create index graphs_by_change on graphs (changed);
create index graphs_by_record on graphs (record_id) where triples <> '';

-- While the store is off nothing follows the records: what it had then must not come back.
create function empty_graphs() returns trigger language plpgsql as $$
begin
  delete from graphs;
  return null;
end $$;

create trigger graphs_off after delete on projections
  for each row when (old.target = 'graph') execute function empty_graphs();
