/** A record that somebody chose in a form by name or number: an existing one, or one to create. */
import { type Account, type Caller, demandAction } from "../caller.ts";
import { type Said, said } from "../messages/said.ts";
import { invalid } from "../problem.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { findTitled } from "../records/read/by-name.ts";
import { listRecords } from "../records/read/list.ts";
import { findNumbered, findRecords } from "../records/read/store.ts";
import { idsOf, type RecordRow } from "../records/record.ts";
import type { Schema } from "../records/schema.ts";
import { createRecordIn } from "../records/write/write.ts";
import type { Services, Sql, Tx } from "../services.ts";
import { composed } from "../text.ts";
import { LONGEST_VALUE } from "./lists/params.ts";

/** Kinds of which a record can be created from a name alone. */
export const NAMED_ONLY: readonly Kind[] = ["entity", "place", "occurrence", "collection"];

/** The only record with this number or name that the caller may see. */
export async function recordNumbered(
  sql: Sql,
  caller: Caller,
  kind: Kind,
  text: string,
): Promise<RecordRow | undefined> {
  const [found, ...more] = await recordsMeant(sql, caller, [kind], text);
  return more.length === 0 ? found : undefined;
}

/** The text for a record in an input, from which `recordsMeant` finds it again. */
export function typedAs(name: string | null, idno: string): string {
  const both = `${name} (${idno})`;
  return !name || both.length > LONGEST_VALUE ? idno : both;
}

/** The records that a text means: by number, by name followed by the number, or by name alone. */
export async function recordsMeant(
  sql: Sql,
  caller: Caller,
  wanted: readonly Kind[],
  text: string,
): Promise<RecordRow[]> {
  const typed = composed(text).trim();
  if (typed === "") return [];
  const starts = typed.endsWith(")") ? [...typed.matchAll(/\(/g)].map(({ index }) => index + 1) : [];
  const numbers = [typed, ...starts.map((start) => typed.slice(start, -1))];
  for (const idno of numbers) {
    const query = { idno, page: 1, page_size: 1, sort_by: "idno", sort_dir: "asc" } as const;
    const found = await Promise.all(
      wanted.map(async (kind) => (await listRecords(sql, caller, kind, query)).rows),
    );
    if (found.flat().length > 0) return found.flat();
  }
  const titled = await Promise.all(wanted.map((kind) => findTitled(sql, caller, kind, typed)));
  return titled.flat().length > 0 ? titled.flat() : mergedNumbers(sql, caller, wanted, numbers);
}

/** The records into which those with these numbers were merged. */
async function mergedNumbers(sql: Sql, caller: Caller, wanted: readonly Kind[], numbers: readonly string[]) {
  const found = await Promise.all(
    wanted.map(async (kind) => {
      const now = [...(await findNumbered(sql, kind, numbers)).values()];
      return findRecords(sql, caller, kind, idsOf(now));
    }),
  );
  return found.flat();
}

/** What somebody typed into a box for a record; 422 if they typed nothing. */
export function demandTyped(text: string, pointer: string): string {
  const typed = text.trim();
  if (typed === "") throw invalid([{ pointer, detail: said("chooser.empty") }]);
  return typed;
}

/** An existing record, or one to create as a draft. */
export type Chosen = { kind: Kind; id: string } | { kind: Kind; subtype: string; name: string };

/**
 * The record that the form names by name or number or, with kind and subtype (`entity:person`), the record to create.
 * 422 if the text means no record or several, or if such a record cannot be created.
 */
export async function demandChosen(
  sql: Sql,
  caller: Account,
  schema: Schema,
  wanted: readonly Kind[],
  { text, create, pointer }: { text: string; create: string; pointer: string },
): Promise<Chosen> {
  const name = demandTyped(text, pointer).slice(0, 500);
  if (create !== "") {
    const [kind, subtype = ""] = create.split(":") as [Kind, string?];
    if (!wanted.includes(kind) || !NAMED_ONLY.includes(kind) || !schema.subtypes.get(kind)?.has(subtype))
      throw invalid([{ pointer, detail: said("chooser.noKind") }]);
    demandAction(caller, "create", kind);
    return { kind, subtype, name };
  }
  const found = await demandFound(sql, caller, wanted, { text: name, pointer });
  return { kind: found.record_type, id: found.id };
}

/** The record with this number or name; 422 if there is none, or more than one. */
export async function demandFound(
  sql: Sql,
  caller: Caller,
  wanted: readonly Kind[],
  { text, pointer }: { text: string; pointer: string },
): Promise<RecordRow> {
  const [found, ...more] = await recordsMeant(sql, caller, wanted, demandTyped(text, pointer));
  const refused = (detail: Said) => invalid([{ pointer, detail }]);
  if (!found) throw refused(said("admin.link.none", { number: text }));
  if (more.length === 0) return found;
  const numbers = [found, ...more].map(({ idno }) => idno).slice(0, 5);
  throw refused(said("admin.link.several", { number: text, numbers: numbers.join(", ") }));
}

/** The chosen record, created as a draft if it is new. `created`: whether it was. */
export async function chosenEnd(
  tx: Tx,
  services: Services,
  caller: Account,
  chosen: Chosen,
): Promise<{ to_type: Kind; to_id: string; created: boolean }> {
  if ("id" in chosen) return { to_type: chosen.kind, to_id: chosen.id, created: false };
  const { kind, subtype, name } = chosen;
  const metadata = { [kinds[kind].titleField]: [{ value: name }] };
  const draft = { subtype, status: "draft", metadata } as const;
  const { id } = await createRecordIn(tx, services, caller, kind, draft);
  return { to_type: kind, to_id: id, created: true };
}
