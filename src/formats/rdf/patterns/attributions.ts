/**
 * Qualified makers: "workshop of". The attribution is an activity of its own, so that nobody is said to have carried out what a
 * workshop made (https://linked.art/model/assertion/).
 */
import { translator } from "../../../messages/translate.ts";
import { kinds } from "../../../records/kinds.ts";
import { attributed, QUALIFIERS } from "../../../records/links/attributions.ts";
import { isMaker } from "../../../records/links/makers.ts";
import { type Link, labelsOf } from "../../../records/public/loaded.ts";
import { bestTitle, type Entry, entriesOf, type Metadata } from "../../../records/record.ts";
import type { Schema } from "../../../records/schema.ts";
import { text } from "../graph.ts";
import { type About, concept } from "./about.ts";
import type { Property } from "./crm.ts";
import { iriOf, PREFIXES } from "./names.ts";

export const CARRIED_OUT_BY = iriOf("P14_carried_out_by");
export const INFLUENCED_BY = `${PREFIXES.crm}P15_was_influenced_by`;

/** Terms for what the person is not said to have made, not even in somebody's opinion. */
const INFLUENCED = ["workshop_of", "circle_of", "follower_of", "manner_of", "copy_after"];
/** Terms for what the person made, in somebody's opinion. Other terms and free words tell nothing of the kind. */
const ASSUMED = ["attributed_to", "possibly", "formerly_attributed_to"];

/** "workshop of Joris van Eck", in each language that has words for it. @param names of the maker, at least one */
export function attributionsOf(schema: Schema, metadata: Metadata, names: readonly Entry[]): Entry[] {
  const { qualifier = [], qualifier_text = [] } = metadata;
  const labels = qualifier.flatMap(({ value }) => entriesOf(schema.qualifiers.get(value) ?? {}));
  const [words = []] = [qualifier_text, labels, qualifier].filter((each) => each.length > 0);
  return words.map((entry) => {
    const { value, lang = "en" } = entry;
    return { ...entry, value: attributed(translator(lang), value, bestTitle(names, [lang]) ?? "") };
  });
}

/** @param property what a link without a qualifier states */
export function writeAttribution(about: About, node: string, link: Link, property: Property): void {
  const { graph, around, record } = about;
  const { row } = record;
  const own = { names: row.metadata[kinds[row.record_type].titleField] ?? [], idno: row.idno };
  const { names, idno } = link.outgoing ? link.other : own;
  for (const { value, lang } of attributionsOf(around.schema, link.metadata, labelsOf(names, idno)))
    graph.add(node, "rdfs:label", text(value, lang));
  (link.metadata.qualifier ?? []).forEach((qualifier, index) => {
    const name = `qualifier-${link.id.slice(-12)}-${index + 1}`;
    graph.add(node, "P2_has_type", concept(about, QUALIFIERS, qualifier, name));
    const assigned = isMaker(link.metadata) ? assignedBy(qualifier.value, property) : null;
    if (assigned) graph.add(node, "P177_assigned_property_of_type", graph.node(assigned, "E55_Type"));
  });
}

function assignedBy(qualifier: string, property: Property): string | null {
  if (INFLUENCED.includes(qualifier)) return INFLUENCED_BY;
  return ASSUMED.includes(qualifier) && property !== "P141_assigned" ? iriOf(property) : null;
}
