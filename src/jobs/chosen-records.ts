/** The records selected for a bulk edit, with their versions at that time, stored with its job. */
import type { Chosen } from "../records/batch/edit-plan.ts";
import type { Sql } from "../services.ts";
import { readJobText, writeJobText } from "./files.ts";

export async function writeChosen(sql: Sql, jobId: string, chosen: readonly Chosen[]): Promise<void> {
  await writeJobText(sql, jobId, "input", chosen.map(({ id, version }) => `${id} ${version}`).join("\n"));
}

export async function readChosen(sql: Sql, jobId: string): Promise<Chosen[]> {
  const lines = (await readJobText(sql, jobId, "input")).split("\n");
  return lines.flatMap((line) => {
    const [id = "", version] = line.split(" ");
    return id === "" ? [] : { id, version: Number(version) };
  });
}
