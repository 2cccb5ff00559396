/** Finds or creates the targets of the links of a batch. */
import type { Account } from "../../caller.ts";
import type { Tx } from "../../services.ts";
import { nameKey } from "../../text.ts";
import type { Kind } from "../kinds.ts";
import type { Schema } from "../schema.ts";
import type { Writer } from "../write/store.ts";
import { saveDescribed } from "./described-ends.ts";
import type { SaidOfEnds } from "./directory.ts";
import { type Candidate, createEnds, type End, findEnds } from "./ends.ts";
import type { LinkedItem, LinkRequest } from "./link-requests.ts";
import { refuseAmbiguous } from "./refused-links.ts";
import { findOrCreateInTree } from "./tree-ends.ts";

/** A target that was created. `key`: the same for all names that mean it. `similar`: an older record with a similar name. */
export type CreatedEnd = {
  record_type: Kind;
  title: string;
  idno: string;
  key: string;
  similar?: Candidate;
  /** It stands in a tree: the title names those around it, too. */
  inTree?: true;
};

export type EndRequest = LinkRequest & { item: LinkedItem };

export type ByItem<T> = Map<string, T[]>;

export function add<T>(all: ByItem<T>, item: string, value: T): void {
  all.set(item, [...(all.get(item) ?? []), value]);
}

/**
 * The targets of all requests; missing ones are created where that is allowed. `furtherLinks`: links among the targets, from
 * their descriptions. `touched`: targets that were created or extended.
 */
export async function findOrCreateEnds(
  tx: Tx,
  schema: Schema,
  caller: Account,
  writer: Writer,
  all: readonly EndRequest[],
  enriches: boolean,
  told?: SaidOfEnds,
) {
  const described = await saveDescribed(
    tx,
    { schema, caller, writer, enriches, told },
    all.flatMap(({ described, to_type, item, hasRow, create, match }) => {
      const isMade = !hasRow && create !== false;
      const status = item.links.newStatus;
      return described ? [{ ...described, kind: to_type, status, requestedBy: item.id, isMade, match }] : [];
    }),
  );
  const createdEnds: ByItem<CreatedEnd> = new Map();
  const touched = [...described.enriched];
  for (const { id, kind, requestedBy, ...made } of described.made) {
    touched.push(id);
    add(createdEnds, requestedBy, { record_type: kind, ...made });
  }
  const named = all.filter(({ described, levels }) => !described && levels === undefined);
  const byName = new Map<string, End>();
  const several = new Map<string, readonly Candidate[]>();
  const alike = new Map<string, Candidate>();
  for (const kind of new Set(named.map((request) => request.to_type))) {
    const first = new Map<string, EndRequest>();
    for (const request of named) {
      const known = first.get(request.value);
      // a request that must not create the record does not prevent another from creating it
      const counts = !known || (known.create === false && request.create !== false);
      if (request.to_type === kind && counts) first.set(request.value, request);
    }
    const [{ match } = {}] = first.values();
    const { found, several: candidates, similar } = await findEnds(tx, kind, [...first.keys()], match);
    // of a name that the source gives with several numbers, any record may be meant, also one of a later row
    for (const { value, to_type, isShared } of named) {
      if (!isShared || to_type !== kind || candidates.has(value)) continue;
      const end = found.get(value);
      found.delete(value);
      candidates.set(value, end ? [{ id: end.id, idno: "", title: end.title ?? value }] : []);
    }
    const lacking = [...first].flatMap(([value, { hasRow, create, item, subtype }]) =>
      found.has(value) || candidates.has(value) || hasRow || create === false
        ? []
        : [{ value, status: item.links.newStatus, subtype }],
    );
    const created = await createEnds(tx, schema, caller, kind, writer, lacking, match);
    for (const { id, ...made } of created.made) {
      touched.push(id);
      const key = nameKey(made.title, match);
      add(createdEnds, first.get(made.title)!.item.id, { record_type: kind, key, ...made });
    }
    for (const [value, end] of created.ends) found.set(value, end);
    for (const [value, one] of similar) alike.set(`${kind} ${value}`, one);
    for (const [value, end] of found) byName.set(`${kind} ${value}`, end);
    for (const [value, some] of candidates) several.set(`${kind} ${value}`, some);
  }
  const inTree = all.filter(({ described, levels }) => !described && levels !== undefined);
  for (const kind of new Set(inTree.map((request) => request.to_type))) {
    const own = inTree.filter(({ to_type }) => to_type === kind);
    const tree = await findOrCreateInTree(tx, { schema, caller, writer }, kind, own);
    for (const { id, item, ...made } of tree.made) {
      touched.push(id);
      add(createdEnds, item, { record_type: kind, key: nameKey(made.title), inTree: true, ...made });
    }
    for (const [value, end] of tree.ends) byName.set(`${kind} ${value}`, end);
    for (const [value, some] of tree.several) several.set(`${kind} ${value}`, some);
  }
  refuseAmbiguous([...named, ...inTree], several);
  const endOf = ({ to_type, value, described: end, ifSeveral }: LinkRequest): End | undefined => {
    if (end) return described.ends.get(`${to_type} ${end.key}`);
    const key = `${to_type} ${value}`;
    return byName.get(key) ?? (ifSeveral === "oldest" ? several.get(key)?.[0] : undefined);
  };
  return {
    endOf,
    /** The records with an ambiguous name, if it leads to none of them. */
    candidatesOf: (request: LinkRequest): readonly Candidate[] | undefined =>
      request.described || endOf(request) ? undefined : several.get(`${request.to_type} ${request.value}`),
    /** A record with a similar name, for a name that no record had. */
    similarTo: ({ to_type, value }: LinkRequest): Candidate | undefined => alike.get(`${to_type} ${value}`),
    createdEnds,
    furtherLinks: described.links,
    touched,
  };
}
