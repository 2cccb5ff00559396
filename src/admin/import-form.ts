/** What the columns of a list mean: guessed from their names, chosen in a form, written as a mapping (interface §8). */

import type { Caller } from "../caller.ts";
import { COLUMN_TARGETS } from "../imports/targets.ts";
import { labelIn } from "../pages/texts.ts";
import type { View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { type Field, fieldsOf, type Schema } from "../records/schema.ts";
import { maySeeField } from "../records/visibility.ts";
import { wordsOf } from "../text.ts";
import { linkChoices } from "./link-choices.ts";

export type TargetChoice = { value: string; label: string };
export type TargetGroups = {
  basics: readonly TargetChoice[];
  fields: readonly TargetChoice[];
  links: readonly TargetChoice[];
};

/** Everything that a column of a list of these records may be. */
export function targetsOf(view: View, schema: Schema, kind: Kind): TargetGroups {
  const { t, caller } = view;
  const columns = COLUMN_TARGETS.filter((name) => {
    const column = name === "parent" ? "parent_id" : name;
    return name === "status" || kinds[kind].columns.some((each) => each === column);
  });
  return {
    basics: [
      { value: "__idno__", label: t("admin.number") },
      { value: "__type__", label: t("admin.subtype") },
      ...columns.map((name) => ({
        value: `__${name}__`,
        label: name === "status" ? t("admin.status") : t(`column.${name === "parent" ? "parent_id" : name}`),
      })),
    ],
    fields: fieldsSeen(schema, caller, kind).map((field) => ({
      value: field.name,
      label: labelIn(field.label, t.language, field.name),
    })),
    links: linkChoices(view, schema, kind).flatMap(({ name, label, to }) =>
      to.map((other) => ({
        value: `__relation:${name}:${other}__`,
        label: `${label} → ${t(`kind.${other}`)}`,
      })),
    ),
  };
}

const fieldsSeen = (schema: Schema, caller: Caller, kind: Kind): Field[] =>
  [...fieldsOf(schema, kind).values()].filter((field) => maySeeField(caller, field));

/** How registrars name the column of the number, in the languages of the pages. */
const NUMBER_NAMES = new Set([
  ...["id", "idno", "no", "number", "object number", "object id", "inventory number", "accession number"],
  ...["nr", "nummer", "inventarnummer", "inventar nr", "inv nr", "objektnummer", "signatur"],
  ...["no", "numero", "numero d inventaire", "no inventaire", "cote"],
]);
const TITLE_NAMES = new Set([
  "title",
  "name",
  "object name",
  "titel",
  "bezeichnung",
  "titre",
  "nom",
  "intitule",
]);

/** The most likely target for each column, empty for none; no target is guessed twice. */
export function guessTargets(
  schema: Schema,
  caller: Caller,
  kind: Kind,
  header: readonly string[],
): string[] {
  const byName = new Map<string, string>();
  const learn = (name: string, target: string) => {
    const key = wordsOf(name.replaceAll("_", " ")).join(" ");
    if (key !== "" && !byName.has(key)) byName.set(key, target);
  };
  for (const field of fieldsSeen(schema, caller, kind)) {
    for (const name of [field.name, ...Object.values(field.label)]) learn(name, field.name);
  }
  for (const name of NUMBER_NAMES) learn(name, "__idno__");
  for (const name of TITLE_NAMES) learn(name, kinds[kind].titleField);
  const taken = new Set<string>();
  return header.map((column) => {
    const key = wordsOf(column.replaceAll("_", " ")).join(" ");
    const target = byName.get(key) ?? byName.get(key.replace(/s$/, "")) ?? "";
    if (taken.has(target)) return "";
    taken.add(target);
    return target;
  });
}

/** The separator of several values in one cell, if this column has such cells as `lists/csv.ts` writes them. */
export const guessSeparator = (rows: readonly (readonly string[])[], column: number): string =>
  rows.some((cells) => cells[column]?.includes(" | ")) ? "|" : "";

/** What the form said of one column. */
export type ColumnChoice = { target: string; split: string; lang: string };

export function choicesOfForm(form: ReadonlyMap<string, string>, header: readonly string[]): ColumnChoice[] {
  return header.map((_column, index) => ({
    target: form.get(`target/${index}`) ?? "",
    split: form.get(`split/${index}`) ?? "",
    lang: form.get(`lang/${index}`)?.trim() ?? "",
  }));
}

/** `onlyLink`: links lead only to records that exist; else missing ones are made. `key`: the column by which rows find records. */
export function mappingOf(
  header: readonly string[],
  choices: readonly ColumnChoice[],
  { fields, onlyLink, key }: { fields: ReadonlyMap<string, Field>; onlyLink: boolean; key: string },
): Record<string, unknown> {
  const mapping: [string, unknown][] = [];
  header.forEach((column, index) => {
    const { target, split, lang } = choices[index]!;
    if (target === "") return;
    const isField = !target.startsWith("__");
    const transforms = [
      ...(split === "" ? [] : [{ type: "split", delimiter: split }, { type: "trim" }]),
      // what cannot be read is refused: it would be lost
      ...(fields.get(target)?.field_type === "date" ? [{ type: "edtf", strict: true }] : []),
    ];
    mapping.push([
      column,
      {
        target,
        ...(isField && lang !== "" ? { lang } : {}),
        ...(column === key ? { key: true } : {}),
        ...(target.startsWith("__relation:") && onlyLink ? { create: false } : {}),
        ...(transforms.length === 0 ? {} : { transforms }),
      },
    ]);
  });
  return Object.fromEntries(mapping);
}
