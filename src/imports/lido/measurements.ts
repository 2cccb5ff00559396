/** Reads the measurements of a LIDO record. */
import type { Element } from "slimdom";
import { readAbout } from "../../formats/lido/lido-measures.ts";
import { DIMENSIONS, UNITS } from "../../formats/rdf/patterns/getty.ts";
import { wordsOf } from "../../text.ts";
import { at, concept, type Found, keep, saying, textOf } from "./xml.ts";

/**
 * One text for each measurement: what is measured, dimension, qualifier and value, as in `frame, height: about 62.5 cm`. Display
 * texts are kept too if they say more, or if there is nothing else.
 */
export function measurementsOf(set: Element): Found[] {
  const display = at(set, "displayObjectMeasurements")
    .map((each) => ({ value: textOf(each), from: [each] }))
    .filter(({ value }) => value !== "");
  const [objects] = at(set, "objectMeasurements");
  if (!objects) return display;
  const [part, circa] = ["extentMeasurements", "qualifierMeasurements"].map((name) => wordIn(objects, name));
  const read = at(objects, "measurementsSet").flatMap((each): Found[] => {
    const [type, unit, value] = ["measurementType", "measurementUnit", "measurementValue"].map((name) =>
      wordIn(each, name),
    );
    if (!value?.value) return [];
    const words = [circa!.value, value.value, unit!.value].filter((word) => word !== "").join(" ");
    const measured = type!.value ? `${type!.value}: ${words}` : words;
    const from = [type!, unit!, value, circa!, part!].flatMap((word) => word.from ?? []);
    return [{ value: part!.value ? `${part!.value}, ${measured}` : measured, from }];
  });
  if (read.length === 0) return display;
  // our own exports also write the measurement as a display text
  const [only] = read;
  const [shown] = display;
  if (read.length === 1 && shown && !part!.value && sameMeasure(shown.value, only!.value))
    return [{ value: shown.value, from: [...shown.from, ...(only!.from ?? [])] }, ...display.slice(1)];
  const told = new Set(read.flatMap(({ value }) => wordsOf(value)));
  const isTold = ({ value }: Found): boolean =>
    wordsOf(value).every((word) => told.has(word) || /^[a-z]$/.test(word));
  for (const each of display.filter(isTold)) keep(each.from);
  return [...read, ...display.filter((each) => !isTold(each))];
}

/** The word of the first element of this name: a concept or a text such as `ca.`. */
function wordIn(parent: Element, name: string): Found & { value: string } {
  const [first] = at(parent, name);
  if (!first) return { value: "" };
  const read = concept(first);
  const [term] = read.terms;
  const value = term?.value ?? textOf(first);
  const known = DIMENSIONS.get(value.toLowerCase()) ?? UNITS[value.toLowerCase()];
  return {
    value,
    // our exports write this URI from the word, so it is not lost
    from: [first, ...(term?.from ?? []), ...saying(read, (text) => text === known?.iri)],
  };
}

function sameMeasure(one: string, other: string): boolean {
  const [a, b] = [readAbout(one), readAbout(other)];
  return (
    a !== null &&
    b !== null &&
    a.kind === b.kind &&
    a.unit === b.unit &&
    a.value === b.value &&
    a.about === b.about
  );
}
