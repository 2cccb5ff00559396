/** Highlights by their numbers, which people know; the settings keep ids. */
import type { Account } from "../../caller.ts";
import { said } from "../../messages/said.ts";
import { invalid } from "../../problem.ts";
import { KINDS } from "../../records/kinds.ts";
import { findRecord, recordsNow } from "../../records/read/store.ts";
import { IdShape } from "../../records/shape.ts";
import type { Sql } from "../../services.ts";
import { recordNumbered } from "../chosen.ts";

/** One in a line. What is not there any more, or not for this caller, stays an id. */
export async function numbersOf(sql: Sql, caller: Account, ids: readonly string[]): Promise<string> {
  const now = await recordsNow(sql, ids);
  const lines = await Promise.all(
    [...new Set(now.values())].map(async (id) => {
      for (const kind of KINDS) {
        const found = await findRecord(sql, caller, kind, id);
        if (found) return found.idno;
      }
      return id;
    }),
  );
  return lines.join("\n");
}

/** 422 for a number that no record has. */
export async function idsOf(sql: Sql, caller: Account, text: string): Promise<string[]> {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    // one more than are taken, which the shape refuses
    .slice(0, 25);
  const ids: string[] = [];
  for (const line of lines) {
    const found = IdShape.safeParse(line).success ? line.toLowerCase() : await idOf(sql, caller, line);
    if (found === undefined) {
      const detail = said("fault.record.no_number", { number: line.slice(0, 100) });
      throw invalid([{ pointer: "/highlights", detail }]);
    }
    ids.push(found);
  }
  return ids;
}

async function idOf(sql: Sql, caller: Account, number: string): Promise<string | undefined> {
  for (const kind of KINDS) {
    const found = kind === "storage_location" ? undefined : await recordNumbered(sql, caller, kind, number);
    if (found) return found.id;
  }
  return undefined;
}
