/** The answer to a write. */
import type { Api, Ctx } from "../http/endpoint.ts";
import { asSeen } from "./read/store.ts";
import type { RecordRow } from "./record.ts";
import { currentSchema } from "./schema.ts";
import { visibleRecord } from "./visibility.ts";

/** The record after a write, as the caller may see it, with its new version as ETag. `more`: members that were asked for. */
export async function writtenAnswer(
  api: Api,
  c: Ctx,
  row: RecordRow,
  status: 200 | 201 = 200,
  headers: Record<string, string> = {},
  more: object = {},
): Promise<Response> {
  const { sql } = api.services;
  const caller = c.get("caller");
  const schema = await currentSchema(sql);
  const body = visibleRecord(schema, caller, await asSeen(sql, caller, row));
  return c.json({ ...body, ...more }, status, {
    ETag: `"${row.version}"`,
    "Cache-Control": "private, no-store",
    ...headers,
  });
}
