/** Saves the deferred links (`deferred-links.ts`) after the last row. */

import type { Account } from "../../caller.ts";
import { toldText } from "../../messages/said.ts";
import type { Fault } from "../../problem.ts";
import { saveBatch } from "../../records/batch/batch.ts";
import { type Candidate, findEnds } from "../../records/batch/ends.ts";
import { continueImport } from "../../records/batch/imports-store.ts";
import type { BatchItem, BatchResult } from "../../records/batch/item.ts";
import type { LinkRequest } from "../../records/batch/link-requests.ts";
import { missingEndFault } from "../../records/batch/links.ts";
import { missingParentFault } from "../../records/batch/parents.ts";
import { findNumbered } from "../../records/read/store.ts";
import type { Services } from "../../services.ts";
import { namesOfValue } from "../mapping/row-references.ts";
import { onlyAdding, type Unlinked, type WaitingRow, withAdvice } from "./deferred-links.ts";
import type { ImportContext } from "./save-rows.ts";

type Links = WaitingRow["waiting"]["links"];

/** `changed`: the number of rows that were counted as unchanged until now. */
type Linked = { changed: number; unlinked: Unlinked[] };

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
      told: context.told,
      updateProjections: context.updateProjections,
      writeAlso: (tx) => continueImport(tx, inProgress),
    });
  // records may have been deleted meanwhile
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
    // if a link is refused, the other links of its row are saved one by one
    const parts = done[0]!.outcome === "rejected" ? oneByOne(onlyAdding(links)) : [];
    if (parts.length > 1) done = await save(parts.map((part) => ({ draft: { id }, ...part })));
    // a name that was ambiguous before is ambiguous again: list the fault once
    const faults = new Map(
      [...waiting.faults, ...done.flatMap(faultsOf)].map((each) => [toldText(each.detail), each]),
    );
    const similar = done.flatMap((result) => ("similar" in result ? (result.similar ?? []) : []));
    if (faults.size > 0)
      unlinked.push(withAdvice({ ...waiting, row, faults: [...faults.values()], similar }, options));
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

/** In a dry run the records do not exist, so names are also looked up among those that rows would have created. */
async function previewLinks(
  { sql }: Services,
  context: ImportContext,
  rows: readonly WaitingRow[],
): Promise<Linked> {
  const { kind } = context.options;
  const parents = rows.flatMap(({ waiting: { links } }) => links.parent?.idno ?? []);
  const requests = rows.flatMap(({ waiting: { links } }) => links.links?.requests ?? []);
  const thereBy = await findNumbered(sql, kind, parents);
  const known = new Set(parents.filter((idno) => thereBy.has(idno)).map((idno) => `${kind} #${idno}`));
  const alike = new Map<string, Candidate>();
  for (const toType of new Set(requests.map(({ to_type }) => to_type))) {
    const own = requests.filter(({ to_type }) => to_type === toType);
    const values = own.map(({ value }) => value);
    const { found, several, similar } = await findEnds(sql, toType, values, own[0]!.match);
    for (const value of [...found.keys(), ...several.keys()]) known.add(`${toType} ${value}`);
    for (const [value, one] of similar) alike.set(`${toType} ${value}`, one);
  }
  const createdNames = (request: LinkRequest) =>
    namesOfValue(request).map((name) => `${request.to_type} ${name}`);
  const created = await context.deferred.created([
    ...parents.map((idno) => `${kind} #${idno}`),
    ...requests.flatMap(createdNames),
  ]);
  const unlinked: Unlinked[] = [];
  let changed = 0;
  for (const { row, waiting } of rows) {
    const faults = [...waiting.faults];
    let isNew = false;
    const isFound = (name: string, names: readonly string[], fault: Fault): boolean => {
      if (known.has(name)) return true;
      const isCreated = names.some((each) => created.has(each));
      if (isCreated) isNew = true;
      else faults.push(fault);
      return isCreated;
    };
    const { parent, links } = waiting.links;
    const parentName = `${kind} #${parent?.idno}`;
    if (parent) isFound(parentName, [parentName], missingParentFault(kind, parent.idno));
    const missing = (links?.requests ?? []).filter(
      (request) =>
        !isFound(`${request.to_type} ${request.value}`, createdNames(request), missingEndFault(request)),
    );
    const similar = missing.flatMap(({ to_type, value }) => {
      const one = alike.get(`${to_type} ${value}`);
      return one ? [{ record_type: to_type, value, similar: one }] : [];
    });
    if (faults.length > 0)
      unlinked.push(withAdvice({ ...waiting, row, faults, missing, similar }, context.options));
    if (isNew && waiting.isUnchanged) changed += 1;
  }
  return { changed, unlinked };
}
