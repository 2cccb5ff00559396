/** What occurs in the records of a list, so that a table has only the columns it needs. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { visibleTo } from "../visibility.ts";
import { condition } from "./list.ts";
import type { ListQuery } from "./list-order.ts";

/**
 * `languages`: by field, null for values without one. `link`: `created_by entity`, relation type and kind of links that start
 * from them, to records that the caller may see; `role`, `qualifier`: those of them that have one.
 */
type KeysFound = {
  languages: ReadonlyMap<string, readonly (string | null)[]>;
  link: ReadonlySet<string>;
  role: ReadonlySet<string>;
  qualifier: ReadonlySet<string>;
};

/** For all records that the query finds; includes fields that the caller may not see. */
export async function keysFound(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  query: Omit<ListQuery, "page" | "page_size">,
): Promise<KeysFound> {
  const keys = await sql<{ name: string; lang: string | null }[]>`
    select distinct m.key as name, e.value ->> 'lang' as lang
    from records r, jsonb_each(r.metadata) m, jsonb_array_elements(m.value) e
    where ${condition(sql, caller, kind, query)}
    order by 1, 2 nulls first`;
  const languages = new Map<string, (string | null)[]>();
  for (const { name, lang } of keys) languages.set(name, [...(languages.get(name) ?? []), lang]);
  const links = await sql<{ name: string; has_role: boolean; is_qualified: boolean }[]>`
    select l.relation_type || ' ' || o.record_type as name, bool_or(l.metadata ->> 'role' is not null) as has_role,
      bool_or(attribution_of(l.metadata) <> '') as is_qualified
    from relations l join records r on r.id = l.from_id
      cross join lateral (select r.record_type from records r where r.id = l.to_id and ${visibleTo(sql, caller)}) o
    where ${condition(sql, caller, kind, query)}
    group by 1`;
  return {
    languages,
    link: new Set(links.map(({ name }) => name)),
    role: new Set(links.flatMap(({ name, has_role }) => (has_role ? name : []))),
    qualifier: new Set(links.flatMap(({ name, is_qualified }) => (is_qualified ? name : []))),
  };
}
