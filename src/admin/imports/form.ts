/** What the columns of a list mean: chosen in a form, written as a mapping (interface §8). */

import { linkTarget, listColumns, qualifierTarget, roleTarget } from "../../lists/columns.ts";
import { said } from "../../messages/said.ts";
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { invalid, jsonPointer } from "../../problem.ts";
import type { Kind } from "../../records/kinds.ts";
import type { Field, Schema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import { SEPARATOR } from "../../text/csv-cells.ts";
import { linkChoices } from "../editor/link-choices.ts";
import { listWords } from "../lists/export.ts";

export type TargetChoice = { value: string; label: string; isDate?: boolean };
export type TargetGroups = {
  basics: readonly TargetChoice[];
  fields: readonly TargetChoice[];
  links: readonly TargetChoice[];
  roles: readonly TargetChoice[];
  qualifiers: readonly TargetChoice[];
};

/** Everything that a column of a list of these records may be. */
export function targetsOf(view: View, schema: Schema, kind: Kind): TargetGroups {
  const { t, caller } = view;
  const words = listWords(t, schema, kind);
  const links = linkChoices(view, schema, kind).flatMap(({ name, label, to, takesQualifier }) =>
    to.map((other) => ({ name, other, takesQualifier, label: `${label} → ${t(`kind.${other}`)}` })),
  );
  return {
    basics: listColumns(schema, kind, words).flatMap(({ is, target, name }) =>
      is === "own" && target !== "" ? { value: target, label: name } : [],
    ),
    fields: visibleFields(schema, caller, kind).map((field) => ({
      value: field.name,
      label: labelIn(field.label, t.language, field.name),
      isDate: field.field_type === "date",
    })),
    links: links.map(({ name, other, label }) => ({ value: linkTarget(name, other), label })),
    roles: links.map(({ name, other, label }) => ({
      value: roleTarget(name, other),
      label: words.role(label),
    })),
    qualifiers: links
      .filter(({ takesQualifier }) => takesQualifier)
      .map(({ name, other, label }) => ({
        value: qualifierTarget(name, other),
        label: words.qualifier(label),
      })),
  };
}

/** What the form said of one column. `format`: of dates; none in mappings that earlier versions kept. */
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
};

/** What a column says of the links in another one. */
const sideOf = (target: string) =>
  (["role", "qualifier"] as const).find((side) => target.startsWith(`__${side}:`));

export function mappingOf(
  header: readonly string[],
  choices: readonly ColumnChoice[],
  { fields, onlyLink, similar, key, isOurs }: FormOptions,
): Record<string, unknown> {
  const splitting = (split: string) => {
    if (split === "") return [];
    if (isOurs && split === SEPARATOR) return [{ type: "split", delimiter: SEPARATOR, escaped: true }];
    return [{ type: "split", delimiter: split }, { type: "trim" }];
  };
  const beside = new Map<string, Record<string, { column: string; transforms: unknown[] }>>();
  header.forEach((column, index) => {
    const { target, split } = choices[index]!;
    const side = sideOf(target);
    if (!side) return;
    const links = target.replace(`__${side}:`, "__relation:");
    if (!choices.some((choice) => choice.target === links))
      throw invalid([
        { pointer: `/mapping${jsonPointer(column)}`, detail: said(`fault.mapping.${side}_alone`) },
      ]);
    beside.set(links, { ...beside.get(links), [side]: { column, transforms: splitting(split) } });
  });
  const mapping: [string, unknown][] = [];
  header.forEach((column, index) => {
    const { target, split, lang, format = "" } = choices[index]!;
    if (target === "" || sideOf(target)) return;
    const stated = format || (isOurs ? "EDTF" : "");
    const transforms = [
      ...splitting(split),
      // what cannot be read is refused: it would be lost
      ...(fields.get(target)?.field_type === "date"
        ? [{ type: "edtf", strict: true, ...(stated ? { format: stated } : {}) }]
        : []),
    ];
    mapping.push([
      column,
      {
        target,
        ...(!target.startsWith("__") && lang !== "" ? { lang } : {}),
        ...(column === key ? { key: true } : {}),
        ...(target.startsWith("__relation:") && onlyLink ? { create: false } : {}),
        ...(target.startsWith("__relation:") && similar ? { match: "similar" } : {}),
        ...beside.get(target),
        ...(transforms.length === 0 ? {} : { transforms }),
      },
    ]);
  });
  return Object.fromEntries(mapping);
}
