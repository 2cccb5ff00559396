/** The relations of a batch; their far ends are given by name. */
import type { Account } from "../caller.ts";
import { newId } from "../ids.ts";
import { type Fault, Problem } from "../problem.ts";
import type { Tx } from "../services.ts";
import { type Candidate, createEnds, type End, findEnds, severalSentence } from "./batch-ends.ts";
import { saveDescribed } from "./described-ends.ts";
import { circleThrough, lockHierarchies } from "./hierarchies.ts";
import { type Kind, kinds } from "./kinds.ts";
import type { GivenLinks, ItemLinks, LinkedItem, LinkWish } from "./link-wishes.ts";
import {
  insertLinks,
  type Link,
  noteLinks,
  oriented,
  removeOthers,
  removeRewrittenLinks,
} from "./link-writes.ts";
import { demandOneLoanOfLinks } from "./loans.ts";
import { linkKeys, withoutMirrored } from "./mirrored-links.ts";
import type { NewRelation } from "./relations.ts";
import type { Writer } from "./save.ts";
import { relationTypeNamed, type Schema } from "./schema.ts";

/** A far end that was created. */
export type MadeEnd = { record_type: Kind; title: string };

/**
 * A far end that has another title than the name: spelled in another way, or found by the number of an authority file, or
 * (`byNumber`) by its own number.
 */
export type JoinedEnd = { record_type: Kind; value: string; title: string; byNumber?: true };

/** The names of a far end in the source. */
function namesOf({ value, described, to_type }: LinkWish): string[] {
  const names = described?.metadata[kinds[to_type].titleField] ?? [];
  return [value, ...names.map((name) => name.value)].map((name) => name.normalize());
}

/** The message for a far end that is missing and must not be created. */
export function absentEnd({ to_type, value }: LinkWish): Fault {
  return {
    pointer: "",
    detail: `there is no ${kinds[to_type].singular} ${JSON.stringify(value)}, which it names`,
  };
}

/** Called before any record is locked, so that nobody else writes to the hierarchies that `saveLinks` will change. */
export async function lockLinks(tx: Tx, schema: Schema, links: readonly ItemLinks[]): Promise<void> {
  const names = new Set(links.flatMap(({ wishes }) => wishes.map((wish) => wish.relation_type)));
  await lockHierarchies(
    tx,
    [...names].flatMap((name) => relationTypeNamed(schema, name)?.type ?? []),
  );
}

/** Which other links of the same kinds are removed. */
export type Replaces = "nothing" | "others" | "others not given";

/**
 * Writes the links. `made`: new far ends, by the item that named them first. By item: `joined`, far ends with a
 * different spelling; `absent`, far ends that are missing and must not be created; `unclear`, ambiguous names, whose
 * links are left out. `changed`: existing items whose links changed; `touched`: other records to project.
 */
export async function saveLinks(
  tx: Tx,
  schema: Schema,
  caller: Account,
  kind: Kind,
  writer: Writer,
  items: readonly LinkedItem[],
  { replaces, given }: { replaces: Replaces; given?: GivenLinks },
): Promise<{
  made: Map<string, MadeEnd[]>;
  joined: Map<string, JoinedEnd[]>;
  absent: Map<string, Fault[]>;
  unclear: Map<string, Fault[]>;
  changed: string[];
  touched: string[];
}> {
  const replace = replaces === "others";
  const all = items.flatMap((item) => item.links.wishes.map((wish) => ({ ...wish, item })));
  const made = new Map<string, MadeEnd[]>();
  const created: string[] = [];
  const ends = new Map<string, End>();
  const described = await saveDescribed(
    tx,
    { schema, caller, writer, enriches: replace },
    all.flatMap(({ described, to_type, item, comes, create }) =>
      described
        ? [
            {
              ...described,
              kind: to_type,
              status: item.links.newStatus,
              wisher: item.id,
              isMade: !comes && create !== false,
            },
          ]
        : [],
    ),
  );
  for (const { end, name, kind: toType, wisher } of described.made) {
    created.push(end.id);
    made.set(wisher, [...(made.get(wisher) ?? []), { record_type: toType, title: name }]);
  }
  const named = all.filter((wish) => !wish.described);
  const several = new Map<string, readonly Candidate[]>();
  for (const toType of new Set(named.map((wish) => wish.to_type))) {
    const first = new Map<string, (typeof all)[number]>();
    for (const wish of named) {
      const known = first.get(wish.value);
      // an item without the permission must not prevent another from creating the record
      const counts = !known || (known.create === false && wish.create !== false);
      if (wish.to_type === toType && counts) first.set(wish.value, wish);
    }
    const { found, several: unsure } = await findEnds(tx, toType, [...first.keys()]);
    for (const [value, candidates] of unsure) several.set(`${toType} ${value}`, candidates);
    const missing = [...first].flatMap(([value, { comes, create, item, subtype }]) =>
      found.has(value) || unsure.has(value) || comes || create === false
        ? []
        : [{ value, status: item.links.newStatus, subtype }],
    );
    for (const [value, end] of await createEnds(tx, schema, caller, toType, writer, missing)) {
      found.set(value, end);
      if (!end.fresh) continue;
      created.push(end.id);
      const wisher = first.get(value)!.item.id;
      made.set(wisher, [...(made.get(wisher) ?? []), { record_type: toType, title: value }]);
    }
    for (const [value, end] of found) ends.set(`${toType} ${value}`, end);
  }
  const endOf = ({ to_type, value, described: one, several: policy }: LinkWish): End | undefined => {
    if (one) return described.ends.get(`${to_type} ${one.key}`);
    const key = `${to_type} ${value}`;
    return ends.get(key) ?? (policy === "oldest" ? several.get(key)?.[0] : undefined);
  };
  demandClear(named, several);
  const unclear = new Map<string, Fault[]>();
  const absent = new Map<string, Fault[]>();
  const joined = new Map<string, JoinedEnd[]>();
  const wishes = all.filter((wish) => {
    const { to_type, value, item } = wish;
    const end = endOf(wish);
    const candidates = wish.described || end ? undefined : several.get(`${to_type} ${value}`);
    if (candidates)
      unclear.set(item.id, [
        ...(unclear.get(item.id) ?? []),
        { pointer: "", detail: severalSentence(to_type, value, candidates) },
      ]);
    else if (!end) absent.set(item.id, [...(absent.get(item.id) ?? []), absentEnd(wish)]);
    else if (end.title !== undefined && !namesOf(wish).includes(end.title.normalize()))
      joined.set(item.id, [
        ...(joined.get(item.id) ?? []),
        { record_type: to_type, value, title: end.title, ...(end.byNumber ? { byNumber: true } : {}) },
      ]);
    return end !== undefined;
  });
  const links: NewRelation[] = wishes.map((wish) => {
    const direction = oriented(schema, kind, wish);
    const other = endOf(wish)!.id;
    if (other === wish.item.id) throw new Problem("invalid", "A record has no relation to itself");
    const [from_id, to_id] = direction.inverse ? [other, wish.item.id] : [wish.item.id, other];
    return { id: newId(), relation_type: direction.type.name, from_id, to_id, metadata: wish.metadata ?? {} };
  });
  const done = new Set<LinkWish>(wishes);
  const unfulfilled = all.filter((wish) => !done.has(wish));
  const retold = await removeRewrittenLinks(tx, links, replace);
  const own = new Set(links.flatMap((link) => linkKeys(schema, link)));
  for (const key of own) given?.add(key);
  const stays = (link: Link) =>
    linkKeys(schema, link).some((key) => own.has(key) || (!replace && given?.has(key)));
  const others =
    replaces === "nothing" ? [] : await removeOthers(tx, schema, kind, items, unfulfilled, stays);
  const removed = [...retold, ...others];
  const wanted = await withoutMirrored(tx, schema, links);
  const added = await insertLinks(tx, writer, [...wanted, ...described.links]);
  await demandOneLoanOfLinks(tx, added);
  await demandNoCircles(tx, schema, caller, added, (from, to) =>
    wishes.flatMap(({ item }, place) =>
      links[place]!.from_id === from && links[place]!.to_id === to ? item.links : [],
    ),
  );
  const changed = await noteLinks(tx, kind, writer, items, added, removed);
  return { made, joined, absent, unclear, changed, touched: [...changed, ...created, ...described.enriched] };
}

/** Only some items are refused, each with a message; the others are written. */
export class LinksProblem extends Problem {
  readonly refused: ReadonlyMap<ItemLinks, string>;

  constructor(refused: ReadonlyMap<ItemLinks, string>) {
    super("invalid", [...refused.values()][0] ?? "");
    this.refused = refused;
  }
}

const ADVICE =
  'give the identification number instead, or decide with "if_several" or "authority" in the mapping';

/** Refuses items with an ambiguous name, unless they say what to do with it. */
function demandClear(
  wishes: readonly (LinkWish & { item: LinkedItem })[],
  several: ReadonlyMap<string, readonly Candidate[]>,
): void {
  const refused = new Map<ItemLinks, string>();
  for (const { to_type, value, several: policy, item } of several.size > 0 ? wishes : []) {
    const candidates = policy === undefined && several.get(`${to_type} ${value}`);
    if (candidates) refused.set(item.links, `${severalSentence(to_type, value, candidates)}; ${ADVICE}`);
  }
  if (refused.size > 0) throw new LinksProblem(refused);
}

async function demandNoCircles(
  tx: Tx,
  schema: Schema,
  caller: Account,
  links: readonly Link[],
  wishedBy: (from: string, to: string) => ItemLinks[],
): Promise<void> {
  for (const name of new Set(links.map((link) => link.relation_type))) {
    if (!schema.relationTypes.get(name)?.is_hierarchical) continue;
    const own = links.filter((link) => link.relation_type === name);
    const circle = await circleThrough(tx, caller, name, own);
    if (!circle) continue;
    const pairs = circle.ids.slice(1).map((to, place) => wishedBy(circle.ids[place]!, to));
    // together, or one of them would create a record under the name of another
    throw new LinksProblem(
      new Map(pairs.flat().map((links) => [links, `would make a circle: ${circle.names}`])),
    );
  }
}
