/** Turns the parameters of a list into a database query. The search finds words and values, and the database does the rest. */
import { type Caller, mayDo } from "../../caller.ts";
import { UUID } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import type { PageView, View } from "../../pages/view.ts";
import { invalid } from "../../problem.ts";
import { typedEnd } from "../../records/dates/readings.ts";
import type { Kind } from "../../records/kinds.ts";
import { listRecords } from "../../records/read/list.ts";
import type { LinkedTo } from "../../records/read/list-filters.ts";
import type { ListQuery } from "../../records/read/list-order.ts";
import { fieldsOf, type Schema } from "../../records/schema.ts";
import { type AskedWords, type FoundIds, findListed } from "../../search/find-listed.ts";
import { linkConditions } from "../../search/request.ts";
import type { Services, Sql } from "../../services.ts";
import { termsAmong } from "../../vocabularies/terms/store.ts";
import { recordsMeant } from "../chosen.ts";
import { termsIn } from "../editor/typed-terms.ts";
import { fieldFilters, LINKED, type LinkedName, lackOf, relationTypesOf } from "./filter-kinds.ts";
import type { ListParams } from "./params.ts";

type AskedList = {
  query: Omit<ListQuery, "page" | "page_size">;
  /** The results of the search; null if it was not needed. */
  found: FoundIds | null;
};

export async function listQueryOf(
  services: Services,
  { c, caller }: PageView,
  schema: Schema,
  kind: Kind,
  asked: ListParams,
): Promise<AskedList> {
  if (asked.faults.length > 0) throw invalid(asked.faults);
  const { q, status, subtype, collection_status, linked_with, sort, dir } = asked;
  const isSearched = q !== "" || Object.keys(asked.fields).length > 0;
  const found = isSearched
    ? await findListed(
        services,
        caller,
        [kind],
        await wordsOf(services.sql, schema, kind, asked),
        c.get("requestId"),
      )
    : null;
  const linked = Object.entries(asked.linked) as [LinkedName, string][];
  const query = {
    sort_by: sort,
    sort_dir: dir,
    linked: await Promise.all(linked.map((one) => linkedTo(services.sql, schema, caller, kind, one))),
    without: asked.without.flatMap((name) => lackOf(schema, kind, name) ?? []),
    ...(asked.mine && caller.kind === "account" ? { changed_by: caller.id } : {}),
    ...(found ? { found: found.ids } : {}),
    ...(status ? { status } : {}),
    ...(subtype ? { subtype } : {}),
    ...(collection_status ? { collection_status } : {}),
    ...(linked_with ? { linked_with } : {}),
  };
  return { query, found };
}

/** The filters with the values of terms where people typed their labels, so that an address is the same in all languages. */
export async function withTerms(
  sql: Sql,
  view: View,
  schema: Schema,
  kind: Kind,
  asked: ListParams,
): Promise<{ asked: ListParams; labels: ReadonlyMap<string, string> }> {
  const boxes = fieldFilters(schema, kind).terms.flatMap(({ name, vocabulary }) => {
    const control = `meta_${name}`;
    return vocabulary ? [{ control, vocabulary, text: asked.fields[control] ?? "" }] : [];
  });
  const found = await termsIn(sql, view, boxes);
  const values = Object.fromEntries(found.map(({ control, value }) => [control, value]));
  const labels = new Map(found.map(({ control, value, label }) => [control, label ?? value]));
  return { asked: { ...asked, fields: { ...asked.fields, ...values } }, labels };
}

/**
 * Splits the filters. A whole value (a term, or a right, which has many names) is looked up in the sets of the index. Other words
 * are searched within values, for which the index reads records.
 */
async function wordsOf(sql: Sql, schema: Schema, kind: Kind, { q, fields }: ListParams): Promise<AskedWords> {
  const clauses: string[] = [];
  const others: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(fields)) {
    const field = fieldsOf(schema, kind).get(parameter.replace(/^meta_/, ""));
    const isWhole =
      !field ||
      field.mapping.pattern === "right" ||
      (field.vocabulary && (await termsAmong(sql, field.vocabulary, "value", [value])).length > 0);
    if (!isWhole) clauses.push(`${field.name}:contains:${value}`);
    else others[parameter] = parameter.startsWith("range_") ? typedEnd(value) : value;
  }
  return { q, fields: others, clauses };
}

/** The named record, and those below it. */
async function linkedTo(
  sql: Sql,
  schema: Schema,
  caller: Caller,
  kind: Kind,
  [filter, name]: readonly [LinkedName, string],
): Promise<LinkedTo> {
  const { to } = LINKED[filter];
  const relationTypes = relationTypesOf(schema, kind, filter);
  const id = mayDo(caller, "read", to) ? await idNamed(sql, caller, to, name) : null;
  const below = id === null ? null : await linkConditions(sql, caller, [{ kind: to, id }], null);
  return { relationTypes, ids: (below ?? []).flatMap((one) => ("ids" in one ? one.ids : [])) };
}

/** By id, number or name, or by part of a name if only one record matches; 422 for none or several. */
async function idNamed(sql: Sql, caller: Caller, kind: Kind, name: string): Promise<string | null> {
  if (UUID.test(name)) return name.toLowerCase();
  const meant = await recordsMeant(sql, caller, [kind], name);
  const order = { sort_by: "title", sort_dir: "asc" } as const;
  const parts = { ...order, q: name, page: 1, page_size: 2 };
  const [one, ...more] = meant.length > 0 ? meant : (await listRecords(sql, caller, kind, parts)).rows;
  if (one && more.length === 0) return one.id;
  const detail = said(one ? "filter.several" : "filter.none", { name });
  throw invalid([{ pointer: `query:${kind}`, detail }]);
}
