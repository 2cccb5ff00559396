-- Why: nothing is part of itself, by whatever detour: relation types that lead up or down say so, and make no circles.

alter table relation_types add column is_hierarchical boolean not null default false;

-- Circles that are there already stay until somebody removes one of their relations; new ones are refused.
update relation_types set is_hierarchical = true
where name in ('part_of', 'member_of', 'parent_of', 'falls_within', 'realised_in', 'embodied_in') and name <> inverse;
