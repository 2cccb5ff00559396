/** What the columns of a list mean: chosen in a form, written as a mapping (interface §8). */

import { said } from "../../messages/said.ts";
import { invalid, jsonPointer } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Field, Subtype } from "../../records/schema.ts";
import { SEPARATOR } from "../../text/csv-cells.ts";
import { listed, NAMES_OF_TYPES } from "./heads.ts";
import type { SameNames } from "./same-names.ts";

/** Targets for one column together: `object_name+__type__`. */
export const TOGETHER = "+";
/** Before a relation to records with parents: the names have levels, which the column's separator divides. */
export const LEVELS = "levels:";
/** The field whose words also say the type of an object. */
export const OBJECT_NAME = "object_name";

/** Names of files, which the page for photographs adds later. */
export const MEDIA = "__media__";

/**
 * What the form said of one column. `target`: as in a mapping, perhaps behind `LEVELS`; or several, joined by `TOGETHER`; or
 * `__role:…` and `__qualifier:…`, which say what the links in the column `__relation:…` are. `format`: of dates; none in mappings
 * that earlier versions kept.
 */
export type ColumnChoice = { target: string; split: string; lang: string; format?: string };

export function choicesOfForm(form: ReadonlyMap<string, string>, header: readonly string[]): ColumnChoice[] {
  return header.map((_column, index) => ({
    target: form.get(`target/${index}`) ?? "",
    split: form.get(`split/${index}`) ?? "",
    lang: form.get(`lang/${index}`)?.trim() ?? "",
    format: form.get(`format/${index}`) ?? "",
  }));
}

type FormOptions = {
  fields: ReadonlyMap<string, Field>;
  /** Links lead only to records that exist; else missing ones are made. */
  onlyLink: boolean;
  /** Names in links may differ in accents and punctuation. */
  similar: boolean;
  /** The column by which rows find records. */
  key: string;
  /** The list is one of ours. */
  isOurs: boolean;
  subtypes: readonly Subtype[];
  /** Names that mean another record. */
  same: SameNames;
};

/** What words in a column of object names say about the type; other words say nothing. */
function typesByName(subtypes: readonly Subtype[]): Record<string, string> {
  const byWord = new Map<string, Set<string>>();
  for (const { name, label } of subtypes)
    for (const word of [name, ...Object.values(label), ...listed(NAMES_OF_TYPES[name] ?? "")])
      if (word !== "")
        byWord.set(word.toLowerCase(), (byWord.get(word.toLowerCase()) ?? new Set()).add(name));
  const certain = [...byWord].flatMap(([word, names]) => (names.size === 1 ? [[word, ...names]] : []));
  return { ...Object.fromEntries(certain), "*": "" };
}

/** What a column says of the links in another one. */
const sideOf = (target: string) =>
  (["role", "qualifier"] as const).find((side) => target.startsWith(`__${side}:`));

/** Columns that say something of the links in another one, by the target of that one. */
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
    // a column of links is guessed to have several names
    return { ...link, levels: split === "" || split === SEPARATOR ? "," : split };
  }
  const { fields, onlyLink, similar, key, isOurs, same } = options;
  const stated = format || (isOurs ? "EDTF" : "");
  // what cannot be read is refused: it would be lost
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
  // the title of its own column is taken before
  return Object.fromEntries([...mapping, ...together]);
}
