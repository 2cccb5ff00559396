/** To whom an object is lent, as visitors may learn it. */
import { VISITOR } from "../../caller.ts";
import { languages, translator } from "../../messages/translate.ts";
import type { Sql } from "../../services.ts";
import { fold } from "../../text.ts";
import { CONCERNS, LOAN_OUT, TAKES_PART } from "../links/loans.ts";
import type { Metadata } from "../record.ts";
import { visibleTo } from "../visibility.ts";

/** Somebody who takes part in a loan without a role is its borrower. */
function isBorrower({ role = [] }: Metadata): boolean {
  const words = languages().map((language) => fold(translator(language)("care.borrower")));
  return role.length === 0 || role.some(({ value }) => words.includes(fold(value)));
}

/** The public entities that have this object on an open loan that has begun. */
export async function publicBorrowers(sql: Sql, objectId: string): Promise<string[]> {
  const rows = await sql<{ id: string; metadata: Metadata }[]>`
    select r.id, l.metadata
    from relations c
    join records p on p.id = c.to_id and p.subtype = ${LOAN_OUT} and p.start_date <= current_date and p.end_date is null and p.deleted_at is null
    join relations l on l.to_id = p.id and l.relation_type = ${TAKES_PART}
    join records r on r.id = l.from_id and r.record_type = 'entity' and ${visibleTo(sql, VISITOR)}
    where c.from_id = ${objectId} and c.relation_type = ${CONCERNS}
    order by l.created_at, l.id`;
  return rows.filter(({ metadata }) => isBorrower(metadata)).map(({ id }) => id);
}
