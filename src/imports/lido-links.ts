/** Collects the links of a LIDO record. */
import { attributionKey, mayBeQualified } from "../records/attributions.ts";
import type { Metadata } from "../records/record.ts";
import { relationTypeNamed } from "../records/schema.ts";
import type { LidoContext } from "./lido-context.ts";
import type { ReadEnd } from "./lido-ends.ts";
import type { Part } from "./lido-events.ts";
import { keep } from "./lido-xml.ts";
import type { MappedRow } from "./mapped-row.ts";

/** Adds a link; if there is one to the same record with the same relation type and attribution, it gets the further role instead. */
export function addLink(
  known: LidoContext,
  relations: Map<string, MappedRow["relations"][number]>,
  relation_type: string,
  end: ReadEnd | null,
  { roles = [], attribution }: Part,
): void {
  if (!end) return;
  const { to_type, value, described, from: nodes } = end;
  const found = relationTypeNamed(known.schema, relation_type);
  if (!found) return;
  const [from, to] = found.inverse
    ? [found.type.to_types, found.type.from_types]
    : [found.type.from_types, found.type.to_types];
  if (!from.includes("object") || !to.includes(to_type)) return;
  const qualified = attribution && mayBeQualified(found.type) ? attribution : undefined;
  const more = qualified?.metadata ?? {};
  const key = `${relation_type} ${to_type} ${described?.key ?? value} ${attributionKey(more)}`;
  const earlier = relations.get(key);
  const before = earlier?.metadata?.role ?? [];
  const fresh = roles.filter(({ value: role }) => !before.some((each) => each.value === role));
  const all = [...before, ...fresh.map(({ value: role }) => ({ value: role }))];
  const metadata = { ...(all.length > 0 ? { role: all } : {}), ...more };
  // objects are never created from a name
  const made = { relation_type, to_type, value, ...(described ? { described } : { create: false as const }) };
  const base = earlier ?? made;
  relations.set(key, Object.keys(metadata).length > 0 ? { ...base, metadata } : base);
  const isLost = earlier !== undefined && !isPartOf(described?.metadata, earlier.described?.metadata);
  if (!isLost) keep(nodes);
  keep([...roles.flatMap((role) => role.from ?? []), ...(qualified?.from ?? [])]);
}

/** Whether an earlier description of the same record says all that this one says. */
const isPartOf = (one: Metadata = {}, other: Metadata = {}): boolean =>
  Object.entries(one).every(([name, entries]) =>
    entries.every(({ value }) => other[name]?.some((each) => each.value === value)),
  );
