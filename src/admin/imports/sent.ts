/** A list that somebody uploaded, kept until they have chosen what its columns mean. */

import type { Account } from "../../caller.ts";
import { demandMayImport } from "../../imports/run.ts";
import { sampleOf } from "../../imports/sample.ts";
import type { ImportSource } from "../../imports/source.ts";
import { takeUpload, uploaded } from "../../imports/upload.ts";
import { readJobText, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import type { StaffView } from "../../pages/view.ts";
import { Problem } from "../../problem.ts";
import { isKind, KINDS, type Kind } from "../../records/kinds.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql, Tx } from "../../services.ts";

/** The rows that the page shows next to the columns. */
export const SAMPLE = 3;

/** An uploaded file that waits for the meanings of its columns. It is deleted after a day (`forgetJobFiles`). */
export type Sent = {
  account: string;
  filename: string;
  bytes: number;
  kind: Kind;
  /** The values of the form in the last attempt. */
  form?: Record<string, string>;
};

export const sourceOf = (sql: Sql, id: string, { filename, bytes }: Sent): ImportSource =>
  uploaded(sql, id, filename, bytes);

/** Saves the file if it is a readable list. */
export function takeFile(services: Services, { c, caller }: StaffView): Promise<string> {
  return takeUpload(services, c.req.raw, async ({ id, fields, source }) => {
    const kind = fields.get("type") ?? "";
    if (!isKind(kind))
      throw new Problem(
        "invalid",
        said("fault.target.record_type", { name: kind.slice(0, 40), types: KINDS.join(", ") }),
      );
    demandMayImport(caller, { kind, upsertStrategy: "skip", autoPublish: false });
    await sampleOf(source, SAMPLE);
    const { name: filename, bytes } = source;
    const sent: Sent = { account: caller.id, filename, bytes, kind };
    await writeJobText(services.sql, id, "mapping", JSON.stringify(sent));
    return id;
  });
}

/** A file from this account; null if it was deleted. */
export async function findSent(sql: Sql | Tx, account: Account, id: string): Promise<Sent | null> {
  const text = IdShape.safeParse(id).success ? await readJobText(sql, id, "mapping") : "";
  const sent = text === "" ? null : (JSON.parse(text) as Partial<Sent>);
  return sent?.account === account.id ? (sent as Sent) : null;
}

/** The file that the address names, only for the account that sent it. */
export async function demandSent(sql: Sql | Tx, view: StaffView): Promise<{ id: string; sent: Sent }> {
  const id = view.c.req.param("id") ?? "";
  const sent = await findSent(sql, view.caller, id);
  if (sent) return { id, sent };
  throw new Problem("not_found", said("problem.import.file_gone"));
}
