/** Reads the numbers of a LIDO record. */
import type { Element } from "slimdom";
import { FORMER_REPOSITORY, INVENTORY_NUMBER } from "../../formats/lido/lido-terms.ts";
import { composed, fold } from "../../text.ts";
import type { Values } from "./values.ts";
import { at, attribute, type Found, glimpse, isKept, isUri, keep, origin, textOf, typeOf } from "./xml.ts";

/** The inventory number, or else the id of the record in its source. Further inventory numbers go into fields. */
export function readNumber(record: Element, values: Values): string | undefined {
  const sets = at(record, "descriptiveMetadata/objectIdentificationWrap/repositoryWrap/repositorySet");
  const isFormer = (set: Element) => glimpse(set, "type") === FORMER_REPOSITORY;
  const all = [...sets.filter((set) => !isFormer(set)), ...sets.filter(isFormer)]
    .flatMap((set) => at(set, "workID"))
    .filter((each) => textOf(each) !== "");
  const ours = all.find((each) => origin(each) === "idno");
  const first = ours ?? all[0];
  for (const each of all) {
    const isFirst = each === first;
    if (isFirst) attribute(each, "type", saysInventory);
    if (each === ours) keep([each]);
    else if (isFirst) values.add(values.byPattern("identifier"), { value: textOf(each), from: [each] });
    else values.add(values.named(origin(each)) ?? values.named("other_numbers"), numberIn(each));
  }
  const [recordId] = at(record, "lidoRecID").map((each) => ({ value: textOf(each), from: [each] }));
  const others = at(record, "administrativeMetadata/recordWrap/recordID").map((each) => ({
    value: textOf(each),
    from: [each],
  }));
  const ids = [...(recordId ? [recordId] : []), ...others].filter(({ value }) => value !== "");
  // an id of the source system is better than a URI
  const last = recordId && isUri(recordId.value) ? [...others, recordId] : ids;
  const number = first ? textOf(first) : last.find(({ value }) => value !== "")?.value;
  if (!ours && recordId?.value && recordId.value !== number)
    values.add(values.named("internal_note"), { ...recordId, value: `LIDO record ${recordId.value}` });
  for (const { value, from } of ids) {
    if (value === number || (ours && from[0] === recordId?.from[0])) keep(from);
    if (isKept.has(from[0]!)) keep(typeOf(from[0]!));
  }
  return number && composed(number);
}

/** Types that mean nothing but inventory number. */
const INVENTORY = /^(invent\p{L}*( ?-?(number|nummer|nr\.?))?|numero d.inventaire)$/u;

const saysInventory = (type: string): boolean => type === INVENTORY_NUMBER || INVENTORY.test(fold(type));

/** A number after what its label or type calls it: `Old number: K 17`. */
function numberIn(element: Element): Found {
  const value = textOf(element);
  const label = attribute(element, "label");
  const type = glimpse(element, "type");
  const isKind = type !== null && !isUri(type) && !saysInventory(type);
  attribute(element, "type", () => saysInventory(type!) || (label === null && isKind));
  const kind = label ?? (isKind ? type : null);
  return { value: kind === null ? value : `${kind}: ${value}`, from: [element] };
}
