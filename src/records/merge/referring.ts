/** Records that refer to a merged record by their place in a tree or by a field: they refer to the other one, and back. */
import type { Tx } from "../../services.ts";
import type { Kind } from "../kinds.ts";
import { lockByIds } from "../read/store.ts";
import { fieldsHolding, type Schema } from "../schema.ts";
import { moveBelow, type Writer } from "../write/store.ts";
import type { Pair } from "./links.ts";
import { findNaming, moveNaming, type Naming, returnNaming } from "./naming.ts";

export type Referring = {
  /** Records that were below the merged one. */
  below: string[];
  naming: Naming;
};

/** `note`: for the history of the records. The record that stays is changed by its own merge. */
export async function moveReferring(
  tx: Tx,
  schema: Schema,
  kind: Kind,
  writer: Writer,
  { from, into }: Pair,
  note: Record<string, unknown>,
): Promise<Referring> {
  const children = await tx<{ id: string }[]>`
    select id from records where parent_id = ${from} and id <> ${into} and deleted_at is null order by id`;
  const below = children.map(({ id }) => id);
  await moveBelow(tx, kind, writer, await lockByIds(tx, kind, below), into, note);
  const fields = fieldsHolding(schema, ({ field_type }) => field_type === "relation");
  const names = { from, into, fields, areIds: true, except: [from, into] };
  return { below, naming: await moveNaming(tx, writer, names, await findNaming(tx, names), note) };
}

/** Undoes it. Returns the records that were moved, changed or deleted since, which stay, and those that were changed back. */
export async function returnReferring(
  tx: Tx,
  kind: Kind,
  writer: Writer,
  { from, into }: Pair,
  { below, naming }: Referring,
  note: Record<string, unknown>,
): Promise<{ left: string[]; back: string[] }> {
  const children = (await lockByIds(tx, kind, below)).filter(({ parent_id }) => parent_id === into);
  await moveBelow(tx, kind, writer, children, from, note);
  const moved = children.map(({ id }) => id);
  const { left, back } = await returnNaming(tx, writer, naming, note);
  return { left: [...below.filter((id) => !moved.includes(id)), ...left], back: [...moved, ...back] };
}
