/** Reads the materials and techniques of a LIDO record. */
import type { Element } from "slimdom";
import { MATERIAL, TECHNIQUE } from "../../formats/lido/lido-terms.ts";
import { wordsOf } from "../../text.ts";
import { labelIn, type Values } from "./values.ts";
import { at, attribute, concept, keep, origin, textOf } from "./xml.ts";

/**
 * Reads materials and techniques of an event or of the object. A display text beside terms goes into a field of its own. Without
 * terms it counts as a material, unless its label names only the technique.
 */
export function materials(set: Element, values: Values): void {
  const terms = at(set, "materialsTech/termMaterialsTech");
  for (const term of terms) {
    const isKnown = (kind: string) => kind === TECHNIQUE || kind === MATERIAL || namesTechnique(kind);
    const type = attribute(term, "type", isKnown) ?? "";
    const isTechnique = type === TECHNIQUE || (type !== MATERIAL && namesTechnique(type));
    values.concept(term, values.byPattern(isTechnique ? "technique" : "material"));
  }
  const inWords = values.byPattern("material_text");
  for (const part of at(set, "materialsTech")) {
    const extents = at(part, "extentMaterialsTech").flatMap((each) => concept(each).terms.slice(0, 1));
    if (extents.length === 0) continue;
    const made = at(part, "termMaterialsTech").flatMap((each) => labelIn(concept(each), values.lang));
    const text = [extents, made].map((words) => words.map(({ value }) => value).join(", "));
    const from = extents.flatMap((each) => each.from);
    values.add(inWords, values.inLanguage(text.filter((words) => words !== "").join(": "), from));
  }
  const told = new Set(at(set, "materialsTech").flatMap((each) => wordsOf(textOf(each))));
  for (const display of at(set, "displayMaterialsTech")) {
    const isTold = origin(display) === null && wordsOf(textOf(display)).every((word) => told.has(word));
    if (terms.length === 0)
      values.text(
        display,
        namesTechnique(attribute(display, "label", (label) => /techni|mat/i.test(label)) ?? "")
          ? "technique"
          : "material",
      );
    else if (isTold) keep([display]);
    else values.text(display, "material_text");
  }
}

/** Whether a label or type names only the technique, unlike "Material/Technik". */
const namesTechnique = (label: string): boolean => /techni/i.test(label) && !/mat(er|ér|ièr)/i.test(label);
