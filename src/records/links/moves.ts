/** Moves objects that a transaction has locked: the link to their place, the movement and the new version of each. */
import { newId } from "../../ids.ts";
import type { Tx } from "../../services.ts";
import type { RecordRow, RecordState } from "../record.ts";
import { type Change, updateRecords, type Writer } from "../write/store.ts";
import { endPlaces, type MoveNotes, noteMovements, STORED_AT } from "./places.ts";
import { insertLinks } from "./writes.ts";

/**
 * None of them may be there already. `after`: their state from then on. @param to the id of a storage location; null: they have no
 * place from then on
 */
export async function writeMoves(
  tx: Tx,
  writer: Writer,
  to: string | null,
  objects: readonly { row: RecordRow; after: RecordState }[],
  notes: MoveNotes,
): Promise<void> {
  const ids = objects.map(({ row }) => row.id);
  const ended = await endPlaces(tx, ids);
  const links = to === null ? [] : ids.map((from_id) => linkTo(to, from_id));
  const { added } = await insertLinks(tx, writer, links, notes);
  if (to === null) await noteMovements(tx, writer, ended, notes);
  await updateRecords(
    tx,
    "object",
    writer,
    objects.map(({ row, after }): Change => {
      const own = ({ from_id }: { from_id: string }) => from_id === row.id;
      const note = { added: added.filter(own), removed: ended.filter(own) };
      return { before: row, after, action: to === null ? "relation_removed" : "relation_added", note };
    }),
  );
}

const linkTo = (to_id: string, from_id: string) => ({
  ...{ id: newId(), relation_type: STORED_AT, from_id, to_id, metadata: {} },
});
