/** Saves the deferred links (`deferred-links.ts`) after the last row. */

import type { Account } from "../caller.ts";
import { toldText } from "../messages/said.ts";
import type { Fault } from "../problem.ts";
import { saveBatch } from "../records/batch.ts";
import type { BatchItem, BatchResult } from "../records/batch-item.ts";
import { missingEndFault } from "../records/batch-links.ts";
import { missingParentFault } from "../records/batch-parents.ts";
import { continueImport } from "../records/imports-store.ts";
import type { Kind } from "../records/kinds.ts";
import type { Services } from "../services.ts";
import { onlyAdding, type Unlinked, type WaitingRow, withAdvice } from "./deferred-links.ts";
import { findNames, namesOfValue } from "./row-references.ts";
import type { ImportContext } from "./save-rows.ts";

type Links = WaitingRow["waiting"]["links"];

/** `changed`: rows that had been counted as unchanged until now. */
type Linked = { changed: number; unlinked: Unlinked[] };

/** Saves the links of a batch of rows that waited. */
export async function saveDeferredLinks(
  services: Services,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Linked> {
  return context.options.dryRun
    ? previewLinks(services, context, rows)
    : saveLinks(services, await context.caller(), context, rows);
}

async function saveLinks(
  services: Services,
  caller: Account,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Linked> {
  const { options, inProgress, deferred } = context;
  const save = (items: readonly BatchItem[]) =>
    saveBatch(services, caller, options.kind, items, {
      upsert: "deferred_links",
      importId: inProgress.importId,
      sourceLinks: deferred.sourceLinks,
      updateProjections: context.updateProjections,
      writeAlso: (tx) => continueImport(tx, inProgress),
    });
  // without records that somebody has deleted meanwhile
  const existing = await services.sql<{ id: string }[]>`
    select id from records where id = any(${rows.map(({ waiting }) => waiting.id)}) and deleted_at is null`;
  const ids = new Set(existing.map(({ id }) => id));
  const saved = rows.filter(({ waiting }) => ids.has(waiting.id));
  const results = await save(saved.map(({ waiting: { id, links } }) => ({ draft: { id }, ...links })));
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const [index, { row, waiting }] of saved.entries()) {
    const { id, links, isUnchanged } = waiting;
    let done = [results[index]!];
    // a link that is refused does not prevent the other links of its row
    const parts = done[0]!.outcome === "rejected" ? oneByOne(onlyAdding(links)) : [];
    if (parts.length > 1) done = await save(parts.map((part) => ({ draft: { id }, ...part })));
    // a name that was ambiguous before still is
    const faults = new Map(
      [...waiting.faults, ...done.flatMap(faultsOf)].map((each) => [toldText(each.detail), each]),
    );
    if (faults.size > 0)
      unlinked.push(withAdvice({ ...waiting, row, faults: [...faults.values()] }, options));
    if (isUnchanged && done.some(({ outcome }) => outcome === "updated")) changed += 1;
  }
  return { changed, unlinked };
}

function oneByOne({ parent, links }: Links): Links[] {
  const each = links?.requests.map((request) => ({ links: { ...links, requests: [request] } })) ?? [];
  return parent ? [{ parent }, ...each] : each;
}

function faultsOf(result: BatchResult): readonly Fault[] {
  return result.outcome === "rejected"
    ? result.faults
    : [...(result.ambiguous ?? []), ...(result.missing ?? [])];
}

/** In a dry run the records do not exist, so this looks for the names among those that earlier rows would have created. */
async function previewLinks(
  { sql }: Services,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Linked> {
  const { kind } = context.options;
  const named = rows.flatMap(({ waiting: { links } }) => [
    ...(links.parent ? [{ to_type: kind, value: links.parent.idno }] : []),
    ...(links.links?.requests ?? []),
  ]);
  const known = new Set<string>();
  for (const toType of new Set(named.map(({ to_type }) => to_type))) {
    const values = named.flatMap(({ to_type, value }) => (to_type === toType ? [value] : []));
    for (const name of await findNames(sql, toType, values)) known.add(`${toType} ${name}`);
  }
  const created = await context.deferred.created(
    named.flatMap(({ to_type, value }) => namesOfValue(value).map((name) => `${to_type} ${name}`)),
  );
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const { row, waiting } of rows) {
    const faults = [...waiting.faults];
    let isNew = false;
    const isFound = (toType: Kind, names: readonly string[], fault: Fault): boolean => {
      const all = names.map((name) => `${toType} ${name}`);
      if (all.some((name) => known.has(name))) return true;
      const isCreated = all.some((name) => created.has(name));
      if (isCreated) isNew = true;
      else faults.push(fault);
      return isCreated;
    };
    const { parent, links } = waiting.links;
    if (parent) isFound(kind, [`#${parent.idno}`], missingParentFault(kind, parent.idno));
    const missing = (links?.requests ?? []).filter(
      (request) => !isFound(request.to_type, namesOfValue(request.value), missingEndFault(request)),
    );
    if (faults.length > 0) unlinked.push(withAdvice({ ...waiting, row, faults, missing }, context.options));
    if (isNew && waiting.isUnchanged) changed += 1;
  }
  return { changed, unlinked };
}
