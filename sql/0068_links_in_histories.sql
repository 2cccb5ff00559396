-- Why: the history of a record lacked links that other records made to it, because only the first end notes a link.

-- The ids of the records that a note of the history names as ends of links.
create function links_noted(note jsonb) returns jsonb immutable parallel safe language sql as $$
  select jsonb_path_query_array(note, '$.**.from_id') || jsonb_path_query_array(note, '$.**.to_id')
$$;

create index revisions_links on revisions using gin (links_noted(note)) where note is not null;
