-- Why: the page of a photographer with 59,000 photographs shows the first dozen, without reading all.
drop index relations_to;
create index relations_to on relations (to_id, relation_type, from_id);
