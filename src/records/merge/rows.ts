/** Rows of other tables that name a merged record: movements, rows of imports and expected files name the other one, and back. */
import type { Tx } from "../../services.ts";
import { noteMovements, STORED_AT } from "../links/places.ts";
import type { Writer } from "../write/store.ts";
import type { Pair } from "./links.ts";

export type MovedRows = {
  /** Movements to the merged place, and movements for the merged procedure. */
  places: { object_id: string; at: string }[];
  procedures: { object_id: string; at: string }[];
  /** The movement of an object that has got its place by the merge. */
  movement: { at: string } | null;
  import_rows: { file_hash: string; row_number: number }[];
  filenames: string[];
};

const movementAt = (tx: Tx) => tx`object_id, at::text as at`;

/** Call it after the links were moved. */
export async function moveRows(tx: Tx, writer: Writer, { from, into }: Pair): Promise<MovedRows> {
  const places = await tx<MovedRows["places"]>`
    update movements set to_id = ${into} where to_id = ${from} returning ${movementAt(tx)}`;
  const procedures = await tx<MovedRows["procedures"]>`
    update movements set procedure_id = ${into} where procedure_id = ${from} returning ${movementAt(tx)}`;
  const earlier = await lastMovement(tx, into);
  await noteMovements(tx, writer, [{ relation_type: STORED_AT, from_id: into }]);
  const last = await lastMovement(tx, into);
  const import_rows = await tx<MovedRows["import_rows"]>`
    update import_rows set record_id = ${into} where record_id = ${from} returning file_hash, row_number`;
  const names = await tx<{ filename: string }[]>`
    update media_names n set record_id = ${into}
    where record_id = ${from} and not exists (
      select 1 from media_names o where o.record_id = ${into} and o.filename = n.filename)
    returning filename`;
  return {
    places: [...places],
    procedures: [...procedures],
    movement: last && last.at !== earlier?.at ? last : null,
    import_rows: [...import_rows],
    filenames: names.map(({ filename }) => filename),
  };
}

async function lastMovement(tx: Tx, id: string): Promise<{ at: string } | undefined> {
  const [last] = await tx<{ at: string }[]>`
    select at::text as at from movements where object_id = ${id} order by movements.at desc limit 1`;
  return last;
}

/** Undoes it, after the links went back. `objects`: others whose links to a place stay, although its movements go back. */
export async function returnRows(
  tx: Tx,
  writer: Writer,
  { from, into }: Pair,
  { places, procedures, movement, import_rows, filenames }: MovedRows,
  objects: readonly string[],
): Promise<void> {
  const those = (rows: MovedRows["places"]) =>
    tx`json_to_recordset(${tx.json(rows as never)}::json) as x(object_id uuid, at timestamptz)`;
  await tx`
    update movements m set to_id = ${from} from ${those(places)}
    where m.object_id = x.object_id and m.at = x.at and m.to_id = ${into}`;
  await tx`
    update movements m set procedure_id = ${from} from ${those(procedures)}
    where m.object_id = x.object_id and m.at = x.at and m.procedure_id = ${into}`;
  if (movement)
    await tx`
      delete from movements m
      where m.object_id = ${into} and m.at = ${movement.at}::timestamptz
        and not exists (select 1 from movements o where o.object_id = m.object_id and o.at > m.at)
        and not exists (select 1 from relations where from_id = ${into} and relation_type = ${STORED_AT})`;
  await noteMovements(
    tx,
    writer,
    [from, into, ...objects].map((from_id) => ({ relation_type: STORED_AT, from_id })),
  );
  await tx`
    update import_rows r set record_id = ${from}
    from json_to_recordset(${tx.json(import_rows as never)}::json) as x(file_hash text, row_number int)
    where r.file_hash = x.file_hash and r.row_number = x.row_number and r.record_id = ${into}`;
  await tx`
    update media_names set record_id = ${from} where record_id = ${into} and filename = any(${filenames})`;
}
