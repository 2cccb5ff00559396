/** What the columns of a list mean: chosen in a form, written as a mapping (interface §8). */

import { SEPARATOR } from "../imports/exact-cells.ts";
import { linkTarget, listColumns, roleTarget } from "../lists/columns.ts";
import { said } from "../messages/said.ts";
import { labelIn } from "../pages/texts.ts";
import type { View } from "../pages/view.ts";
import { invalid, jsonPointer } from "../problem.ts";
import type { Kind } from "../records/kinds.ts";
import type { Field, Schema } from "../records/schema.ts";
import { visibleFields } from "../records/visibility.ts";
import { linkChoices } from "./link-choices.ts";
import { listWords } from "./list-export.ts";

export type TargetChoice = { value: string; label: string };
export type TargetGroups = {
  basics: readonly TargetChoice[];
  fields: readonly TargetChoice[];
  links: readonly TargetChoice[];
  roles: readonly TargetChoice[];
};

/** Everything that a column of a list of these records may be. */
export function targetsOf(view: View, schema: Schema, kind: Kind): TargetGroups {
  const { t, caller } = view;
  const words = listWords(t, schema, kind);
  const links = linkChoices(view, schema, kind).flatMap(({ name, label, to }) =>
    to.map((other) => ({ name, other, label: `${label} → ${t(`kind.${other}`)}` })),
  );
  return {
    basics: listColumns(schema, kind, words).flatMap(({ is, target, name }) =>
      is === "own" && target !== "" ? { value: target, label: name } : [],
    ),
    fields: visibleFields(schema, caller, kind).map((field) => ({
      value: field.name,
      label: labelIn(field.label, t.language, field.name),
    })),
    links: links.map(({ name, other, label }) => ({ value: linkTarget(name, other), label })),
    roles: links.map(({ name, other, label }) => ({
      value: roleTarget(name, other),
      label: words.role(label),
    })),
  };
}

/** What the form said of one column. */
export type ColumnChoice = { target: string; split: string; lang: string };

export function choicesOfForm(form: ReadonlyMap<string, string>, header: readonly string[]): ColumnChoice[] {
  return header.map((_column, index) => ({
    target: form.get(`target/${index}`) ?? "",
    split: form.get(`split/${index}`) ?? "",
    lang: form.get(`lang/${index}`)?.trim() ?? "",
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
  const roles = new Map<string, { column: string; transforms: unknown[] }>();
  header.forEach((column, index) => {
    const { target, split } = choices[index]!;
    if (!target.startsWith("__role:")) return;
    const links = target.replace("__role:", "__relation:");
    if (!choices.some((choice) => choice.target === links))
      throw invalid([
        { pointer: `/mapping${jsonPointer(column)}`, detail: said("fault.mapping.role_alone") },
      ]);
    roles.set(links, { column, transforms: splitting(split) });
  });
  const mapping: [string, unknown][] = [];
  header.forEach((column, index) => {
    const { target, split, lang } = choices[index]!;
    if (target === "" || target.startsWith("__role:")) return;
    const role = roles.get(target);
    const transforms = [
      ...splitting(split),
      // what cannot be read is refused: it would be lost
      ...(fields.get(target)?.field_type === "date"
        ? [{ type: "edtf", strict: true, ...(isOurs ? { format: "EDTF" } : {}) }]
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
        ...(role ? { role } : {}),
        ...(transforms.length === 0 ? {} : { transforms }),
      },
    ]);
  });
  return Object.fromEntries(mapping);
}
