/** Where storage locations are: many rooms have a "Shelf 3", so lists, sheets and pages name the room as well. */
import type { Caller } from "../../caller.ts";
import type { Sql } from "../../services.ts";
import { ancestors } from "../read/branches.ts";
import type { Schema } from "../schema.ts";
import { findNamed, shownAs } from "./neighbours.ts";

/** By id, the names from the outermost: `Depot 1 › Shelf 3`. Only of locations inside others that the reader may see. */
export async function locationPaths(
  sql: Sql,
  schema: Schema,
  reader: Caller,
  languages: readonly string[],
  records: readonly { id: string; record_type: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = records.flatMap(({ id, record_type }) => (record_type === "storage_location" ? id : []));
  const above = await ancestors(sql, reader, ids);
  const named = await findNamed(sql, schema, reader, [...above].flat(2));
  return new Map(
    [...above].map(([id, outer]) => [
      id,
      [id, ...outer]
        .reverse()
        .flatMap((each) => named.get(each) ?? [])
        .map((each) => shownAs(each, languages).title)
        .join(" › "),
    ]),
  );
}
