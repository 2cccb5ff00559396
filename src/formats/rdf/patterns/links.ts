/** Adds the links of a record to its graph, from either end. */
import { isQualified, mayBeQualified } from "../../../records/links/attributions.ts";
import { isMaker } from "../../../records/links/makers.ts";
import type { Link, Neighbour } from "../../../records/public/loaded.ts";
import type { Field, RelationType } from "../../../records/schema.ts";
import { type About, classifyBy, classifyByField, concept, mention } from "./about.ts";
import { writeAttribution } from "./attributions.ts";
import { classesOf, classesOfExemplar } from "./classes.ts";
import { type Class, inverseOf, type Property } from "./crm.ts";
import { attributedPath, type Between, type Path, pathOf } from "./paths.ts";

/** The relation type from a manifestation to its exemplars. */
export const EXEMPLIFIED_BY = "exemplified_by";

export function writeLink(about: About, link: Link): void {
  const { around, classes } = about;
  const type = around.schema.relationTypes.get(link.relation_type);
  if (!type) return;
  const { record_type, subtype } = link.other;
  let others: readonly Class[] = classesOf(around.schema, record_type, subtype);
  if (type.name === EXEMPLIFIED_BY && link.outgoing) others = classesOfExemplar(others);
  const ends = link.outgoing ? { from: classes, to: others } : { from: others, to: classes };
  const path = pathOf(type, ends, (link.metadata.role?.length ?? 0) > 0);
  // a commissioner did not carry out the production either
  const isMade = !mayBeQualified(type) || (!isQualified(link.metadata) && isMaker(link.metadata));
  follow(about, link, type, isMade ? path : attributedPath(path), mention(about, link.other, others));
}

/** Writes the path from the record to the other end. A link target uses the inverse properties. */
function follow(about: About, link: Link, type: RelationType, path: Path, other: string): void {
  const { graph } = about;
  const [first, last] = link.outgoing ? [graph.about, other] : [other, graph.about];
  const steps = link.outgoing ? path : path.toReversed();
  let at = graph.about;
  for (let n = 0; n < steps.length; n += 2) {
    const property = steps[n] as Property;
    const between = steps[n + 1] as Between | undefined;
    const next = between ? betweenIri(between, first, last, link) : other;
    graph.add(at, link.outgoing ? property : inverseOf(property), next);
    if (between) describeBetween(about, between, next, link, type);
    at = next;
  }
}

function betweenIri({ at, name }: Between, first: string, last: string, link: Link): string {
  if (at === "link") return `${first}#${name}-${link.id.slice(-12)}`;
  return `${at === "from" ? first : last}#${name}`;
}

function describeBetween(about: About, between: Between, node: string, link: Link, type: RelationType): void {
  about.graph.node(node, between.kind);
  if (between.typedBy === "relation") classifyBy(about, node, `relation-types/${type.name}`, type.label);
  if (between.attributes) writeAttribution(about, node, link, between.attributes);
  if (between.typedBy !== "role" && !(between.attributes && !isMaker(link.metadata))) return;
  (link.metadata.role ?? []).forEach((role, index) => {
    const name = `role-${link.id.slice(-12)}-${index + 1}`;
    about.graph.add(node, "P2_has_type", concept(about, "role", role, name));
  });
}

/** Writes the record that a field of type relation names. The mapping of the field has the property. */
export function writeNamed(about: About, field: Field, named: Neighbour, index: number): void {
  const { graph } = about;
  const node = graph.part(`${field.name}-${index + 1}`, "E13_Attribute_Assignment");
  graph.add(graph.about, "P140i_was_attributed_by", node);
  classifyByField(about, node, field);
  graph.add(node, "P141_assigned", mention(about, named));
}
