/** `?include=` of one record: what is not part of it, and costs more to find out (interface §2). */
import { z } from "zod";
import type { Caller } from "../caller.ts";
import type { Api, Ctx } from "../http/endpoint.ts";
import { preferredLanguages } from "../http/negotiate.ts";
import { invalid } from "../problem.ts";
import { type Kind, kinds } from "./kinds.ts";
import { bestTitle, type RecordRow } from "./record.ts";
import { listRelations } from "./relations.ts";
import type { Schema } from "./schema.ts";
import { visibleMetadata, visibleRecord } from "./visibility.ts";

const INCLUDES = ["title", "relations", "version"];

/** What other rooms have to say of a record that somebody may see, by the word that `include` takes for it. */
export type Extras = Partial<Record<Kind, KindExtras>>;
type KindExtras = Readonly<Record<string, (api: Api, caller: Caller, row: RecordRow) => Promise<unknown>>>;

export const includesOf = (extras: KindExtras): string[] => [...INCLUDES, ...Object.keys(extras)];

export const includeQuery = (includes: readonly string[]) =>
  z.strictObject({
    include: z
      .string()
      .optional()
      .openapi({ description: `Comma-separated extras: ${includes.join(", ")}`, example: "title,relations" }),
  });

/** 422 for what cannot be asked for. */
export function wantedExtras(include: string, includes: readonly string[]): string[] {
  const wanted = include.split(",").map((name) => name.trim());
  const unknown = wanted.filter((name) => !includes.includes(name));
  if (unknown.length === 0) return wanted;
  throw invalid([
    {
      pointer: "query:include",
      detail: `${unknown.join(", ").slice(0, 100)}: there are ${includes.join(", ")}`,
    },
  ]);
}

/** The record with what was asked for besides. */
export async function withExtras(
  api: Api,
  c: Ctx,
  schema: Schema,
  caller: Caller,
  row: RecordRow,
  wanted: readonly string[],
  extras: KindExtras,
): Promise<Record<string, unknown>> {
  const body = visibleRecord(schema, caller, row);
  if (wanted.includes("title")) {
    const metadata = visibleMetadata(schema, caller, row.record_type, row.metadata);
    const languages = preferredLanguages(c.req.header("Accept-Language"));
    body.title = bestTitle(metadata[kinds[row.record_type].titleField], languages) ?? row.idno;
  }
  if (wanted.includes("version")) body.version = row.version;
  if (wanted.includes("relations")) {
    body.relations = (
      await listRelations(api.services.sql, caller, schema, row, { limit: 200, offset: 0 })
    ).items;
  }
  for (const name of wanted) if (extras[name]) body[name] = await extras[name](api, caller, row);
  return body;
}
