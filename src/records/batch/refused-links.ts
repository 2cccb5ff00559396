/** Links of a batch for which their items are refused. */
import { type Said, said } from "../../messages/said.ts";
import { Problem } from "../../problem.ts";
import { manyOf } from "../kinds.ts";
import { qualifierFaults } from "../links/attributions.ts";
import { contradictingPlaces } from "../links/places.ts";
import type { NewRelation } from "../links/relations.ts";
import type { Schema } from "../schema.ts";
import { ambiguousName, type Candidate } from "./ends.ts";
import type { ItemLinks, LinkedItem, LinkRequest } from "./link-requests.ts";

type Request = LinkRequest & { item: LinkedItem };

/** Only some items are refused, each with a message; the others are written. */
export class LinksProblem extends Problem {
  readonly refused: ReadonlyMap<ItemLinks, Said>;

  constructor(refused: ReadonlyMap<ItemLinks, Said>) {
    super("invalid", [...refused.values()][0]!);
    this.refused = refused;
  }
}

/** Why it is not certain which record the name means. */
export const ambiguity = (
  { to_type, value, isShared }: Pick<LinkRequest, "to_type" | "value" | "isShared">,
  candidates: readonly Candidate[],
): Said =>
  isShared
    ? said("fault.name.several_numbers", { value, kind: manyOf(to_type) })
    : ambiguousName(to_type, value, candidates);

/** Refuses items with an ambiguous name, unless they say what to do with it. */
export function refuseAmbiguous(
  requests: readonly Request[],
  several: ReadonlyMap<string, readonly Candidate[]>,
): void {
  const refused = new Map<ItemLinks, Said>();
  for (const { to_type, value, ifSeveral, isShared, item } of several.size > 0 ? requests : []) {
    const candidates = ifSeveral === undefined && several.get(`${to_type} ${value}`);
    if (!candidates) continue;
    const fault = ambiguity({ to_type, value, isShared }, candidates);
    refused.set(item.links, said("fault.name.ambiguous_link", { fault }));
  }
  if (refused.size > 0) throw new LinksProblem(refused);
}

/** Refuses items that give one object two places. */
export function demandOnePlace(requests: readonly Request[], links: readonly NewRelation[]): void {
  const refused = contradictingPlaces(links).map((index) => requests[index]!.item.links);
  if (refused.length === 0) return;
  throw new LinksProblem(new Map(refused.map((item) => [item, said("fault.link.two_places")])));
}

/** Refuses items whose links have a qualifier that they cannot have. */
export function demandQualifiers(
  schema: Schema,
  requests: readonly Request[],
  links: readonly NewRelation[],
): void {
  const refused = new Map<ItemLinks, Said>();
  for (const [index, { relation_type, metadata }] of links.entries()) {
    const [fault] = qualifierFaults(schema, schema.relationTypes.get(relation_type)!, metadata);
    if (fault) refused.set(requests[index]!.item.links, fault.detail);
  }
  if (refused.size > 0) throw new LinksProblem(refused);
}
