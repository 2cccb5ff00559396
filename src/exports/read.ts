/** Everything in the catalogue, row by row, as the lines of an export. */
import { said } from "../messages/said.ts";
import { Refusal } from "../refusal.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { partsOf, rowLine } from "./format.ts";
import { configurationVersion, countRows, readPart } from "./part-store.ts";

const PAGE = 500;

/** Lines in pages; `total` is how many there will be, about. */
export type Reading = { total: number; pages: AsyncIterable<string[]> };

/**
 * On an external database, everything that `use` reads is from one moment. The embedded database has one session, which an
 * export must not block: there each record is from some moment of the export. Since ids grow with time, records that it
 * refers to are in the file, too.
 */
export async function fromOneMoment<T>(
  { sql, database }: Services,
  use: (handle: Sql | Tx) => Promise<T>,
): Promise<T> {
  return database === "external"
    ? ((await sql.begin("isolation level repeatable read read only", use)) as T)
    : use(sql);
}

/** Passes a reader of the catalogue to `use`. */
export async function withReading<T>(
  services: Services,
  history: boolean,
  use: (reading: Reading) => Promise<T>,
): Promise<T> {
  return fromOneMoment(services, async (handle) =>
    use({ total: await countRows(handle, history), pages: pagesOf(handle, history) }),
  );
}

async function* pagesOf(sql: Sql | Tx, history: boolean): AsyncIterable<string[]> {
  const before = await configurationVersion(sql);
  for (const part of partsOf(history)) {
    let after: Record<string, string> | null = null;
    for (;;) {
      const rows: string[] = await readPart(sql, part, after, PAGE);
      if (rows.length > 0) yield rows.map((row) => rowLine(part.kind, row));
      if (rows.length < PAGE) break;
      after = JSON.parse(rows.at(-1)!);
    }
  }
  if ((await configurationVersion(sql)) !== before) {
    throw new Refusal(said("problem.export.changed"));
  }
}
