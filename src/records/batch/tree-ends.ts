/**
 * Targets that a source gives with the records around them: "Depot 1, Regal 3" is Regal 3 in Depot 1. A record with the whole text as
 * its number, or as its name if there are several levels, comes first. Otherwise the first level is in no other record, and each
 * further one in the level before it, so that the order of rows does not matter.
 */
import { type Account, mayDo, permissionTo, refuse } from "../../caller.ts";
import { newId } from "../../ids.ts";
import type { Tx } from "../../services.ts";
import { composed, nameKey, similarSortKey } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import { isFindable, joinNow } from "../read/store.ts";
import type { Schema } from "../schema.ts";
import type { Writer } from "../write/store.ts";
import {
  type Candidate,
  type End,
  findEnds,
  insertNamed,
  type NewEnd,
  ownFirst,
  preferExactSpelling,
  sameNamed,
} from "./ends.ts";
import type { LinkedItem, LinkRequest } from "./link-requests.ts";

/** No museum has more: a text with more of them is one name. */
const MOST_LEVELS = 10;

type Text = Pick<LinkRequest, "value" | "levels">;

function levelsOf({ value, levels: separator }: Text): string[] {
  if (separator === undefined) return [value];
  const parts = value.split(separator).map((name) => name.trim());
  const names = parts.filter((name) => name !== "");
  return names.length > 0 && names.length <= MOST_LEVELS ? names : [value];
}

/** What reports call the target and the records around it, from the outermost: `Depot 1`, `Depot 1 › Regal 3`. */
export function namesInTree(request: Text): string[] {
  const names = levelsOf(request);
  return names.map((_, depth) => names.slice(0, depth + 1).join(" › "));
}

/** A request whose levels are found one by one. `parent`: the record of the level before; `""` before the first. */
type InTree = {
  request: LinkRequest & { item: LinkedItem };
  names: readonly string[];
  shown: readonly string[];
  parent: string;
};

type Missing = { named: Parameters<typeof insertNamed>[4][number]; title: string; item: string };

/**
 * The targets of these requests, by their text; missing ones are created where that is allowed. `several`: ambiguous names.
 * `made`: the created records, each with its name in reports and the first item that names it.
 */
export async function findOrCreateInTree(
  tx: Tx,
  { schema, caller, writer }: { schema: Schema; caller: Account; writer: Writer },
  kind: Kind,
  requests: readonly (LinkRequest & { item: LinkedItem })[],
) {
  const made: (NewEnd & { item: string })[] = [];
  const [{ match } = {}] = requests;
  const whole = await findEnds(tx, kind, [...new Set(requests.map(({ value }) => value))], match);
  const ends = new Map<string, End>();
  const several = new Map<string, readonly Candidate[]>();
  const first = new Map<string, InTree["request"]>();
  for (const one of requests) {
    const key = `${one.create} ${one.value}`;
    if (!first.has(key)) first.set(key, one);
  }
  let open: InTree[] = [...first.values()].flatMap((request) => {
    const { value } = request;
    const names = levelsOf(request);
    const end = whole.found.get(value);
    const isWhole = end?.byNumber || names.length > 1;
    const candidates = isWhole && whole.several.get(value);
    if (end && isWhole) ends.set(value, end);
    if (candidates) several.set(value, candidates);
    return ends.has(value) || candidates ? [] : [{ request, names, shown: namesInTree(request), parent: "" }];
  });
  // two simultaneous imports create one record for what both name
  await tx`select pg_advisory_xact_lock(hashtext(${`ends:${kind}`}))`;
  for (let depth = 0; open.length > 0; depth++) {
    const names = [...new Set(open.map((one) => one.names[depth]!))];
    const there = await childrenNamed(tx, kind, [...new Set(open.map(({ parent }) => parent))], names);
    const missing = new Map<string, Missing>();
    const deeper: InTree[] = [];
    for (const one of open) {
      const { id, candidates } = placeIn(one, depth, there, missing);
      if (candidates) several.set(one.request.value, candidates);
      if (id === undefined) continue;
      if (depth === one.names.length - 1) ends.set(one.request.value, { id });
      else deeper.push({ ...one, parent: id });
    }
    const all = [...missing.values()];
    if (all.length > 0 && !mayDo(caller, "create", kind)) throw refuse(caller, permissionTo("create", kind));
    const created = await insertNamed(
      tx,
      schema,
      kind,
      writer,
      all.map(({ named }) => named),
    );
    for (const [index, { title, item }] of all.entries()) made.push({ ...created[index]!, title, item });
    open = deeper;
  }
  return { ends, several, made };
}

/**
 * The record of this level, or that which will be created for it, which is then added to `missing`; or names that could be meant.
 * @param there what is in the records of the level before
 */
function placeIn(
  { request, names, shown, parent }: InTree,
  depth: number,
  there: readonly Child[],
  missing: Map<string, Missing>,
): { id?: string; candidates?: readonly Candidate[] } {
  const { match, subtype, item } = request;
  const name = names[depth]!;
  const inside = there.filter(({ parent_id }) => parent_id === parent);
  const numbered = inside.filter(({ idno }) => idno === composed(name));
  const called = preferExactSpelling(name, ownFirst(sameNamed(name, match, inside)));
  const [known, second] = numbered.length > 0 ? numbered : called;
  if (second && request.ifSeveral !== "oldest") return { candidates: called };
  if (known) return { id: known.id };
  const key = `${parent} ${nameKey(name, match)}`;
  const planned = missing.get(key)?.named.id;
  if (planned !== undefined) return { id: planned };
  if (!isMade(request)) return {};
  const id = newId();
  const isLast = depth === names.length - 1;
  const named = {
    id,
    value: name,
    status: item.links.newStatus,
    ...(parent === "" ? {} : { parent_id: parent }),
    ...(isLast && subtype !== undefined ? { subtype } : {}),
  };
  missing.set(key, { named, title: shown[depth]!, item: item.id });
  return { id };
}

const isMade = ({ create, hasRow }: LinkRequest): boolean => create !== false && !hasRow;

type Child = Candidate & { parent_id: string; is_former: boolean };

/** Records with one of these numbers or a name like one of these; in one of these records, or in none (`""`). The oldest first. */
const childrenNamed = (tx: Tx, kind: Kind, parents: string[], names: string[]): Promise<Child[]> =>
  tx<Child[]>`
    select r.id, f.idno, f.title, coalesce(f.parent_id::text, '') as parent_id, f.merged_into is not null as is_former
    from records f ${joinNow(tx)}
    where f.record_type = ${kind} and coalesce(f.parent_id::text, '') = any(${parents}) and ${isFindable(tx)}
      and (f.idno = any(${names.map(composed)}) or similar_sort_key(f.sort_title) = any(${names.map(similarSortKey)}))
    order by is_former, r.created_at, r.id`;
