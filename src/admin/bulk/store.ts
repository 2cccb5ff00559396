/** Records that somebody has chosen, and what they want done to them: kept until it is done, for a day at most. */

import type { Account } from "../../caller.ts";
import type { Ctx } from "../../http/endpoint.ts";
import { newId } from "../../ids.ts";
import { readChosen, writeChosen } from "../../jobs/chosen-records.ts";
import { dropJobFiles, readJobText, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import type { Chosen, Edit } from "../../records/batch/edit-plan.ts";
import type { Kind } from "../../records/kinds.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";

/** `back`: what stood in the address of the list behind its question mark. */
export type Choice = { account: string; kind: Kind; back: string; total: number; edit?: Edit };

/** Answers the id by which the choice is found, and which the job will have. */
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

/** The first records that were chosen. */
export async function firstChosen(sql: Sql, id: string, limit: number): Promise<Chosen[]> {
  return (await readChosen(sql, id)).slice(0, limit);
}

/** The selection in this address, for the account that made it; undefined once deleted. */
export async function findChoice(
  sql: Sql,
  account: Account,
  kind: Kind,
  c: Ctx,
): Promise<{ id: string; choice: Choice }> {
  const id = c.req.param("id") ?? "";
  const text = IdShape.safeParse(id).success ? await readJobText(sql, id, "mapping") : "";
  const choice = text === "" ? null : (JSON.parse(text) as Partial<Choice>);
  if (choice?.account === account.id && choice.kind === kind && choice.total !== undefined)
    return { id, choice: choice as Choice };
  throw new Problem("not_found", said("problem.edit.choice_gone"));
}
