/** The classes of a record (interface §4): those of its subtype, or of its kind. */
import type { Kind } from "../../../records/kinds.ts";
import type { Schema } from "../../../records/schema.ts";
import { type Class, isClass } from "./crm.ts";

const OF_KIND: Record<Kind, Class> = {
  object: "E22_Human-Made_Object",
  entity: "E39_Actor",
  place: "E53_Place",
  occurrence: "E5_Event",
  procedure: "E7_Activity",
  collection: "E78_Curated_Holding",
  storage_location: "E53_Place",
};

/** An exemplar (F5_Item) is also a thing that was made and can be moved. */
const ITEM: readonly Class[] = ["E22_Human-Made_Object", "F5_Item"];

export function classesOf(schema: Schema, kind: Kind, subtype: string): readonly Class[] {
  const named = schema.subtypes.get(kind)?.get(subtype)?.crm_class?.replace(/^\w+:/, "");
  const name = named !== undefined && isClass(named) ? named : OF_KIND[kind];
  return name === "F5_Item" ? ITEM : [name];
}

/** The classes of a record that is an exemplar of a manifestation, whatever its subtype. */
export function classesOfExemplar(classes: readonly Class[]): readonly Class[] {
  return classes.includes("F5_Item") ? classes : [...classes, "F5_Item"];
}
