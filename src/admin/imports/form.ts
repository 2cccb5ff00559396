/** The meanings of a list's columns, chosen in a form and turned into a mapping (interface §8). */

import { said } from "../../messages/said.ts";
import { invalid, jsonPointer } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Field, Subtype } from "../../records/schema.ts";
import { SEPARATOR } from "../../text/csv-cells.ts";
import { listed, NAMES_OF_TYPES } from "./heads.ts";
import type { SameNames } from "./same-names.ts";

/** Joins several targets of one column: `object_name+__type__`. */
export const TOGETHER = "+";
/** Prefix of a relation to records with parents: the names have levels, divided by the separator of the column. */
export const LEVELS = "levels:";
/** The field whose words also tell the type of an object. */
export const OBJECT_NAME = "object_name";

/** File names. The page for photographs adds the files later. */
export const MEDIA = "__media__";

/**
 * The form's choices for one column. `target`: as in a mapping, perhaps after `LEVELS`; or several, joined by `TOGETHER`; or
 * `__role:…` and `__qualifier:…`, which describe the links in the column `__relation:…`. `format`: of dates; missing in mappings
 * from earlier versions.
 */
export type ColumnChoice = { target: string; split: string; lang: string; format?: string };

/** `levels/…`: ticked for this target. */
function targetIn(form: ReadonlyMap<string, string>, index: number): string {
  const target = form.get(`target/${index}`) ?? "";
  return target !== "" && form.get(`levels/${index}`) === target ? LEVELS + target : target;
}

export function choicesOfForm(form: ReadonlyMap<string, string>, header: readonly string[]): ColumnChoice[] {
  return header.map((_column, index) => ({
    target: targetIn(form, index),
    split: form.get(`split/${index}`) ?? "",
    lang: form.get(`lang/${index}`)?.trim() ?? "",
    format: form.get(`format/${index}`) ?? "",
  }));
}

type FormOptions = {
  fields: ReadonlyMap<string, Field>;
  /** Links only to existing records; otherwise missing ones are created. */
  onlyLink: boolean;
  /** Finds records for names that differ only in accents and punctuation. */
  similar: boolean;
  /** The column that identifies records. */
  key: string;
  /** Whether this service exported the list. */
  isOurs: boolean;
  subtypes: readonly Subtype[];
  /** Names that mean a record of another name. */
  same: SameNames;
};

/** The type for each word in a column of object names; other words set no type. */
function typesByName(subtypes: readonly Subtype[]): Record<string, string> {
  const byWord = new Map<string, Set<string>>();
  for (const { name, label } of subtypes)
    for (const word of [name, ...Object.values(label), ...listed(NAMES_OF_TYPES[name] ?? "")])
      if (word !== "")
        byWord.set(word.toLowerCase(), (byWord.get(word.toLowerCase()) ?? new Set()).add(name));
  const certain = [...byWord].flatMap(([word, names]) => (names.size === 1 ? [[word, ...names]] : []));
  return { ...Object.fromEntries(certain), "*": "" };
}

/** Which detail of the links in another column this target describes. */
const sideOf = (target: string) =>
  (["role", "qualifier"] as const).find((side) => target.startsWith(`__${side}:`));

/** Columns that describe the links in another column, by the target of that column. */
type Beside = Map<string, Record<string, { column: string; transforms: unknown[] }>>;

function splitting(split: string, isOurs: boolean): unknown[] {
  if (split === "") return [];
  if (isOurs && split === SEPARATOR) return [{ type: "split", delimiter: SEPARATOR, escaped: true }];
  return [{ type: "split", delimiter: split }, { type: "trim" }];
}

function targetOf(
  target: string,
  column: string,
  choice: ColumnChoice,
  beside: Beside,
  options: FormOptions,
): Record<string, unknown> {
  const { split, lang, format } = choice;
  if (target.startsWith(LEVELS)) {
    const { transforms: _, ...link } = targetOf(target.slice(LEVELS.length), column, choice, beside, options);
    // the guess for a column of links is that it has several names
    return { ...link, levels: split === "" || split === SEPARATOR ? "," : split };
  }
  const { fields, onlyLink, similar, key, isOurs, same } = options;
  const stated = format || (isOurs ? "EDTF" : "");
  // refuses unreadable dates, which would otherwise be lost
  const read = { type: "edtf", strict: true, ...(stated ? { format: stated } : {}) };
  const transforms = [
    ...splitting(split, isOurs),
    ...(fields.get(target)?.field_type === "date" ? [read] : []),
  ];
  const isRelation = target.startsWith("__relation:");
  const names = same[/^__relation:.*:(.*)__$/.exec(target)?.[1] as Kind];
  return {
    target,
    ...(!target.startsWith("__") && lang !== "" ? { lang } : {}),
    ...(column === key ? { key: true } : {}),
    ...(isRelation && onlyLink ? { create: false } : {}),
    ...(isRelation && similar ? { match: "similar" } : {}),
    ...(names && Object.keys(names).length > 0 ? { same: names } : {}),
    ...beside.get(target),
    ...(transforms.length === 0 ? {} : { transforms }),
  };
}

export function mappingOf(
  header: readonly string[],
  choices: readonly ColumnChoice[],
  options: FormOptions,
): Record<string, unknown> {
  const beside: Beside = new Map();
  header.forEach((column, index) => {
    const { target, split } = choices[index]!;
    const side = sideOf(target);
    if (!side) return;
    const links = target.replace(`__${side}:`, "__relation:");
    if (!choices.some((choice) => choice.target === links))
      throw invalid([
        { pointer: `/mapping${jsonPointer(column)}`, detail: said(`fault.mapping.${side}_alone`) },
      ]);
    beside.set(links, {
      ...beside.get(links),
      [side]: { column, transforms: splitting(split, options.isOurs) },
    });
  });
  const mapping: [string, unknown][] = [];
  const together: [string, unknown][] = [];
  header.forEach((column, index) => {
    const { target } = choices[index]!;
    if (target === "" || sideOf(target)) return;
    const formOf = (one: string) => targetOf(one, column, choices[index]!, beside, options);
    if (!target.includes(TOGETHER)) mapping.push([column, formOf(target)]);
    else
      together.push([
        column,
        target.split(TOGETHER).map((one) => {
          if (one === "__type__")
            return { target: one, transforms: [{ type: "vocab_map", map: typesByName(options.subtypes) }] };
          return one === OBJECT_NAME ? formOf(one) : { ...formOf(one), fallback: true };
        }),
      ]);
  });
  // a title column of its own comes first
  return Object.fromEntries([...mapping, ...together]);
}
