/** SQL of the columns that people chose for a list. Columns in the address take precedence. */
import type { Account } from "../../caller.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Sql } from "../../services.ts";
import type { ListParams } from "./params.ts";

/** The parameters with the account's own columns, unless the address names some. */
export async function withColumns(
  sql: Sql,
  account: Account,
  kind: Kind,
  asked: ListParams,
): Promise<ListParams> {
  if (asked.columns.length > 0) return asked;
  const [kept] = await sql<{ columns: string[] }[]>`
    select columns from list_columns where account_id = ${account.id} and record_type = ${kind}`;
  return { ...asked, columns: kept?.columns ?? [] };
}

/** Without columns, the list shows the usual ones. */
export async function keepColumns(
  sql: Sql,
  account: Account,
  kind: Kind,
  columns: readonly string[],
): Promise<void> {
  await sql`
    insert into list_columns (account_id, record_type, columns)
    values (${account.id}, ${kind}, ${columns as string[]}::text[])
    on conflict (account_id, record_type) do update set columns = excluded.columns`;
}
