/** Saves the links of a batch. Their targets are given by name or description; missing ones are created. */

import type { Account } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { said } from "../../messages/said.ts";
import { type Fault, Problem } from "../../problem.ts";
import type { Tx } from "../../services.ts";
import { composed } from "../../text.ts";
import { type Kind, kinds, oneOf } from "../kinds.ts";
import { tidyNotes } from "../links/attributions.ts";
import { demandNoCircles, lockHierarchies } from "../links/hierarchies.ts";
import { demandOneLoanOfLinks } from "../links/loans.ts";
import { noteMovements } from "../links/places.ts";
import { qualifierOfWords } from "../links/qualifier-words.ts";
import type { Link, NewRelation } from "../links/relations.ts";
import {
  directionOf,
  insertLinks,
  type LostLink,
  noteLinks,
  removeOthers,
  removeRewrittenLinks,
} from "../links/writes.ts";
import { relationTypeNamed, type Schema } from "../schema.ts";
import type { Writer } from "../write/store.ts";
import type { SaidOfEnds } from "./directory.ts";
import type { Candidate } from "./ends.ts";
import {
  asMeant,
  type ItemLinks,
  type LinkedItem,
  type LinkRequest,
  type SourceLinks,
} from "./link-requests.ts";
import {
  asThere,
  type Ends,
  endsKey,
  isSymmetric,
  linkKey,
  meetLinks,
  tellsQualifier,
} from "./mirrored-links.ts";
import { ambiguity, demandOnePlace, demandQualifiers, LinksProblem } from "./refused-links.ts";
import { add, type ByItem, type CreatedEnd, type EndRequest, findOrCreateEnds } from "./requested-ends.ts";

/** A name that no record has, and a record with a similar name. */
export type SimilarName = { record_type: Kind; value: string; similar: Candidate };

/**
 * A target whose title is not the name in the source: it has another spelling, or was found by the number of an authority
 * file, or by its own number (`byNumber`).
 */
export type OtherTitle = { record_type: Kind; value: string; title: string; idno?: string; byNumber?: true };

/** The names of a target in the source. */
function namesOf({ value, described, to_type }: LinkRequest): string[] {
  const names = described?.metadata[kinds[to_type].titleField] ?? [];
  return [value, ...(described?.called ?? []), ...names.map((name) => name.value)].map(composed);
}

/** The message for a target that is missing and must not be created. */
export function missingEndFault({ to_type, value }: LinkRequest): Fault {
  return {
    pointer: "",
    detail: said("fault.link.unknown_end", { kind: oneOf(to_type), value }),
  };
}

/** Call this before records are locked: it keeps others from writing to the hierarchies that `saveLinks` will change. */
export async function lockLinks(tx: Tx, schema: Schema, links: readonly ItemLinks[]): Promise<void> {
  const names = new Set(links.flatMap(({ requests }) => requests.map((request) => request.relation_type)));
  await lockHierarchies(
    tx,
    [...names].flatMap((name) => relationTypeNamed(schema, name)?.type ?? []),
  );
}

/** Which other links of the same kinds are removed. `others and roles`: empty cells also remove roles and qualifiers. */
export type Replaces = "nothing" | "others" | "others and roles" | "others not given";

/**
 * Writes the links. By item: `createdEnds`, targets that were created, each with the first item that names it;
 * `otherTitles`, targets with a title other than their name in the source; `missing`, targets that do not exist and must
 * not be created, and `similar`, those of them that are similar to another name; `ambiguous`, names whose links were left out
 * because several records have them; `kept`, the indexes of requests whose links were there; `lost`, removed links. `changed`: existing items whose links changed; `touched`: all
 * records whose projections must follow.
 */
export async function saveLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  writer: Writer,
  items: readonly LinkedItem[],
  { replaces, sourceLinks, told }: { replaces: Replaces; sourceLinks?: SourceLinks; told?: SaidOfEnds },
): Promise<{
  createdEnds: ByItem<CreatedEnd>;
  otherTitles: ByItem<OtherTitle>;
  missing: ByItem<Fault>;
  similar: ByItem<SimilarName>;
  ambiguous: ByItem<Fault>;
  kept: ByItem<number>;
  lost: ByItem<LostLink>;
  changed: string[];
  touched: string[];
}> {
  const replace = replaces === "others" || replaces === "others and roles";
  const all = items.flatMap((item) => item.links.requests.map((request, at) => ({ ...request, item, at })));
  const ends = await findOrCreateEnds(tx, schema, caller, writer, all, replace, told);
  const ambiguous: ByItem<Fault> = new Map();
  const missing: ByItem<Fault> = new Map();
  const similar: ByItem<SimilarName> = new Map();
  const otherTitles: ByItem<OtherTitle> = new Map();
  const fulfilled: (EndRequest & { at: number })[] = [];
  for (const request of all) {
    const { to_type, value, item } = request;
    const end = ends.endOf(request);
    const candidates = ends.candidatesOf(request);
    if (end) fulfilled.push(request);
    if (candidates) add(ambiguous, item.id, { pointer: "", detail: ambiguity(request, candidates) });
    else if (!end) {
      add(missing, item.id, missingEndFault(request));
      const alike = ends.similarTo(request);
      if (alike) add(similar, item.id, { record_type: to_type, value, similar: alike });
    } else if (end.title !== undefined && !namesOf(request).includes(composed(end.title))) {
      const { id: _, title, ...found } = end;
      add(otherTitles, item.id, { record_type: to_type, value, title, ...found });
    }
  }
  const pairs = fulfilled.map((request) => {
    const { type, inverse } = directionOf(schema, kind, request);
    const own = request.item.id;
    const other = ends.endOf(request)!.id;
    if (other === own) throw new Problem("invalid", said("fault.relation.itself"));
    const [from_id, to_id] = inverse ? [other, own] : [own, other];
    return { relation_type: type.name, from_id, to_id };
  });
  const wanted: NewRelation[] = asMeant(schema, fulfilled, pairs, replaces === "others and roles").map(
    ({ metadata: notes = {}, qualifierWords: words }, index) => {
      const metadata = { ...notes, ...(words === undefined ? {} : qualifierOfWords(schema, words)) };
      return { id: newId(), ...pairs[index]!, metadata: tidyNotes(schema, metadata) };
    },
  );
  demandOnePlace(fulfilled, wanted);
  demandQualifiers(schema, fulfilled, wanted);
  const { links, there } = await meetLinks(tx, schema, wanted);
  const written = asThere(schema, links, there);
  const own = new Set(items.map(({ id }) => id));
  const by = (link: NewRelation | Link, giver: string) => `${linkKey(schema, link)} ${giver}`;
  /** Whether an earlier row gives a link: the row of any record, or of one that is not among these. */
  const given = async (some: readonly (NewRelation | Link)[]) => {
    const ends = ({ from_id, to_id }: Ends) => [from_id, to_id];
    const known = await sourceLinks?.among(
      some.flatMap((link) => ends(link).map((giver) => by(link, giver))),
      tx,
    );
    const isGivenBy = (link: NewRelation | Link, giver: string) => known?.has(by(link, giver)) === true;
    const byOthers = (link: NewRelation | Link) =>
      ends(link).some((giver) => !own.has(giver) && isGivenBy(link, giver));
    const byAny = (link: NewRelation | Link) => ends(link).some((giver) => isGivenBy(link, giver));
    return { byOthers, counts: sourceLinks?.isReplaced ? byOthers : byAny };
  };
  const before = await given(written);
  const replaced = (link: NewRelation) => replace && !before.counts(link);
  const rewritten = await removeRewrittenLinks(tx, schema, written, there, replaced);
  const requested = new Set(links.map((link) => linkKey(schema, link)));
  // by the same person in whatever way
  const inAnyWay = new Set(
    wanted.filter((link) => !tellsQualifier(link)).map((link) => endsKey(schema, link)),
  );
  const staying = async (others: readonly Link[]): Promise<Link[]> => {
    const { byOthers, counts } = await given(others);
    const mayStay = (link: Link) =>
      byOthers(link) || ((!replace || isSymmetric(schema, link)) && counts(link));
    const isRequested = (link: Link) =>
      requested.has(linkKey(schema, link)) || inAnyWay.has(endsKey(schema, link));
    return others.filter((link) => isRequested(link) || mayStay(link));
  };
  const isFulfilled = new Set<LinkRequest>(fulfilled);
  const unfulfilled = all.filter((request) => !isFulfilled.has(request));
  const others =
    replaces === "nothing"
      ? { removed: [], lost: [] }
      : await removeOthers(tx, schema, kind, items, unfulfilled, staying);
  const givers = links.map((link, index) => by(link, fulfilled[index]!.item.id));
  await sourceLinks?.add(givers, tx);
  const { added, ended } = await insertLinks(tx, writer, [...written, ...ends.furtherLinks]);
  await noteMovements(tx, writer, others.removed);
  await demandOneLoanOfLinks(tx, added);
  await demandNoCircles(tx, schema, caller, added, ({ ids, names }) => {
    const isIn = (link: Link) => ids.some((id, at) => link.from_id === id && link.to_id === ids[at + 1]);
    const requested = fulfilled.flatMap(({ item }, index) => (isIn(links[index]!) ? item.links : []));
    // all together: if only one were refused, another could create a record of its name
    const why = said("fault.relation.circle", { records: names });
    return new LinksProblem(new Map(requested.map((link) => [link, why])));
  });
  const changed = await noteLinks(tx, kind, writer, items, added, [
    ...rewritten,
    ...others.removed,
    ...ended,
  ]);
  const fresh = new Set(added.map((link) => linkKey(schema, link)));
  const kept: ByItem<number> = new Map();
  for (const [index, { item, at }] of fulfilled.entries())
    if (!fresh.has(linkKey(schema, links[index]!))) add(kept, item.id, at);
  const { createdEnds } = ends;
  const lost: ByItem<LostLink> = new Map();
  for (const link of others.lost) add(lost, link.item, link);
  return {
    createdEnds,
    otherTitles,
    missing,
    similar,
    ambiguous,
    kept,
    lost,
    changed,
    touched: [...changed, ...ends.touched],
  };
}
