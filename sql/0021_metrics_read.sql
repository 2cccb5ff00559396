-- Why: who watches the numbers of the service (/metrics) need not read its jobs, which tell what is in records. Whoever could
-- see the numbers until now goes on seeing them.

update roles set permissions = jsonb_set(permissions, '{features}', permissions -> 'features' || '["metrics:read"]')
where permissions -> 'features' ? 'jobs:read' and not permissions -> 'features' ? 'metrics:read';

update api_keys set permissions = permissions || '{metrics:read}'::text[]
where 'jobs:read' = any(permissions) and not 'metrics:read' = any(permissions);
