/** The selected records and the edit to make, kept until the edit is done, for at most a day. */

import type { Account } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { readChosen, writeChosen } from "../../jobs/chosen-records.ts";
import { dropJobFiles, readJobText, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import type { StaffView } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import type { Chosen, Edit } from "../../records/batch/edit-plan.ts";
import type { Kind } from "../../records/kinds.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";

/** `back`: the query string of the list. */
export type Choice = { account: string; kind: Kind; back: string; total: number; edit?: Edit };

/** Answers the id of the selection, which becomes the id of the job. */
export async function keepChoice(
  sql: Sql,
  account: Account,
  kind: Kind,
  chosen: readonly Chosen[],
  back: string,
  edit?: Edit,
): Promise<string> {
  const id = newId();
  try {
    await writeChosen(sql, id, chosen);
    await keepEdit(sql, id, { account: account.id, kind, back, total: chosen.length, edit });
    return id;
  } catch (error) {
    await dropJobFiles(sql, id).catch(() => undefined);
    throw error;
  }
}

export async function keepEdit(sql: Sql, id: string, choice: Choice): Promise<void> {
  await writeJobText(sql, id, "mapping", JSON.stringify(choice));
}

/** The first of the selected records. */
export async function firstChosen(sql: Sql, id: string, limit: number): Promise<Chosen[]> {
  return (await readChosen(sql, id)).slice(0, limit);
}

/** The selection in this address, for the account that made it; undefined once it is deleted. */
export async function findChoice(
  sql: Sql,
  { c, caller }: StaffView,
  kind: Kind,
): Promise<{ id: string; choice: Choice }> {
  const id = c.req.param("id") ?? "";
  const text = IdShape.safeParse(id).success ? await readJobText(sql, id, "mapping") : "";
  const choice = text === "" ? null : (JSON.parse(text) as Partial<Choice>);
  if (choice?.account === caller.id && choice.kind === kind && choice.total !== undefined)
    return { id, choice: choice as Choice };
  throw new Problem("not_found", said("problem.edit.choice_gone"));
}
