/** A list that somebody sent to be imported, kept until they have said what its columns mean. */

import type { Account } from "../../caller.ts";
import type { Ctx } from "../../http/endpoint.ts";
import { demandMayImport } from "../../imports/run.ts";
import { sampleOf } from "../../imports/sample.ts";
import type { ImportSource } from "../../imports/source.ts";
import { takeUpload, uploaded } from "../../imports/upload.ts";
import { readJobText, writeJobText } from "../../jobs/files.ts";
import { said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { isKind, KINDS, type Kind } from "../../records/kinds.ts";
import { IdShape } from "../../records/shape.ts";
import type { Services, Sql, Tx } from "../../services.ts";

/** Rows of the file that stand beside its columns. */
export const SAMPLE = 3;

/** A file that waits for somebody to say what it means. It is forgotten after a day (`forgetJobFiles`). */
export type Sent = {
  account: string;
  filename: string;
  bytes: number;
  kind: Kind;
  /** What the form said when it was tried last. */
  form?: Record<string, string>;
};

export const sourceOf = (sql: Sql, id: string, { filename, bytes }: Sent): ImportSource =>
  uploaded(sql, id, filename, bytes);

/** Keeps what was sent, when it is a list that can be read. */
export function takeFile(services: Services, c: Ctx, account: Account): Promise<string> {
  return takeUpload(services, c.req.raw, async ({ id, fields, source }) => {
    const kind = fields.get("type") ?? "";
    if (!isKind(kind))
      throw new Problem(
        "invalid",
        said("fault.target.record_type", { name: kind.slice(0, 40), types: KINDS.join(", ") }),
      );
    demandMayImport(account, { kind, upsertStrategy: "skip", autoPublish: false });
    await sampleOf(source, SAMPLE);
    const { name: filename, bytes } = source;
    const sent: Sent = { account: account.id, filename, bytes, kind };
    await writeJobText(services.sql, id, "mapping", JSON.stringify(sent));
    return id;
  });
}

/** A file that this account sent, if it is still kept. */
export async function findSent(sql: Sql | Tx, account: Account, id: string): Promise<Sent | null> {
  const text = IdShape.safeParse(id).success ? await readJobText(sql, id, "mapping") : "";
  const sent = text === "" ? null : (JSON.parse(text) as Partial<Sent>);
  return sent?.account === account.id ? (sent as Sent) : null;
}

/** The file that the address names. Only the account that sent it gets it. */
export async function demandSent(
  sql: Sql | Tx,
  account: Account,
  c: Ctx,
): Promise<{ id: string; sent: Sent }> {
  const id = c.req.param("id") ?? "";
  const sent = await findSent(sql, account, id);
  if (sent) return { id, sent };
  throw new Problem("not_found", said("problem.import.file_gone"));
}
