/** Finds the parents that the items of a batch name by number. A parent may be in the catalogue, in the batch, or in a later batch. */
import { said } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import { type Kind, oneOf } from "../kinds.ts";
import { findNumbered } from "../read/store.ts";
import type { BatchItem, Planned } from "./item.ts";

/** The message for a missing parent. */
export function missingParentFault(kind: Kind, idno: string): Fault {
  return {
    pointer: "/parent_id",
    detail: said("fault.parent.unknown_number", { kind: oneOf(kind), idno }),
  };
}

export async function findParents(tx: Tx, kind: Kind, items: readonly BatchItem[]) {
  const named = [...new Set(items.flatMap(({ parent }) => parent?.idno ?? []))];
  const there = await findNumbered(tx, kind, named);
  return {
    /** Why the item cannot have its parent; none if the source has a row for the parent. */
    fault({ parent }: BatchItem): Fault | undefined {
      return !parent || parent.hasRow || there.has(parent.idno)
        ? undefined
        : missingParentFault(kind, parent.idno);
    },

    /** Sets the `parent_id` of the items; returns, by item, the message for a parent that is still missing. */
    place(planned: readonly Planned[], created: readonly Planned[]): Map<string, Fault[]> {
      const fresh = new Map(created.map(({ id, state }) => [state.idno, id]));
      const absent = new Map<string, Fault[]>();
      for (const { item, id, state, row } of planned) {
        if (!item.parent) continue;
        const { idno } = item.parent;
        const parent = there.get(idno)?.id ?? fresh.get(idno);
        if (parent === undefined) absent.set(id, [missingParentFault(kind, idno)]);
        state.parent_id = parent ?? row?.parent_id ?? null;
      }
      return absent;
    },
  };
}
