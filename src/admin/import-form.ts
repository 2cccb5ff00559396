/** What the columns of a list mean: guessed from their names, chosen in a form, written as a mapping (interface §8). */

import type { Caller } from "../caller.ts";
import { COLUMN_TARGETS } from "../imports/targets.ts";
import { PLAIN_WORDS } from "../lists/csv.ts";
import { languages, translator } from "../messages/translate.ts";
import { labelIn } from "../pages/texts.ts";
import type { View } from "../pages/view.ts";
import { type Kind, kinds } from "../records/kinds.ts";
import { type Field, fieldsOf, type Schema } from "../records/schema.ts";
import { maySeeField, maySeeLinksOf } from "../records/visibility.ts";
import { wordsOf } from "../text.ts";
import { namePlainly } from "./field-names.ts";
import { linkChoices } from "./link-choices.ts";
import { listWords } from "./list-export.ts";

export type TargetChoice = { value: string; label: string };
export type TargetGroups = {
  basics: readonly TargetChoice[];
  fields: readonly TargetChoice[];
  links: readonly TargetChoice[];
};

/** What a record is beside its fields and links: the target, and the name of the column for `namePlainly`. */
function basicsOf(kind: Kind): { target: string; name: string }[] {
  const { columns, subtypeKey } = kinds[kind];
  const named = COLUMN_TARGETS.map((target) => ({
    target,
    name: target === "parent" ? "parent_id" : target,
  }));
  return [
    { target: "__idno__", name: "idno" },
    { target: "__type__", name: subtypeKey },
    ...named
      .filter(({ name }) => name === "status" || columns.some((each) => each === name))
      .map(({ target, name }) => ({ target: `__${target}__`, name })),
  ];
}

/** Everything that a column of a list of these records may be. */
export function targetsOf(view: View, schema: Schema, kind: Kind): TargetGroups {
  const { t, caller } = view;
  return {
    basics: basicsOf(kind).map(({ target, name }) => ({
      value: target,
      label: namePlainly(view, schema, kind, name),
    })),
    fields: fieldsSeen(schema, caller, kind).map((field) => ({
      value: field.name,
      label: labelIn(field.label, t.language, field.name),
    })),
    links: linkChoices(view, schema, kind).flatMap(({ name, label, to }) =>
      to.map((other) => ({
        value: linkTarget(name, other),
        label: `${label} → ${t(`kind.${other}`)}`,
      })),
    ),
  };
}

const linkTarget = (name: string, to: Kind): string => `__relation:${name}:${to}__`;

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

const keyOf = (column: string): string => wordsOf(column.replaceAll("_", " ")).join(" ");

/** `Title (de)`: how `lists/csv.ts` names the column of one language. */
const IN_LANGUAGE = /^(.+) \(([a-z]{2,3}(?:-[a-z0-9]+)*)\)$/i;

/** The most likely target for each column, empty for none; no target is guessed twice in one language. */
export function guessTargets(
  schema: Schema,
  caller: Caller,
  kind: Kind,
  header: readonly string[],
): Pick<ColumnChoice, "target" | "lang">[] {
  const byName = namesOfTargets(schema, caller, kind);
  const targetOf = (column: string) => {
    const key = keyOf(column);
    return byName.get(key) ?? byName.get(key.replace(/s$/, "")) ?? "";
  };
  const guess = (column: string) => {
    const target = targetOf(column);
    const [, name, lang] = (target === "" && IN_LANGUAGE.exec(column)) || [];
    if (name === undefined || lang === undefined) return { target, lang: "" };
    const field = fieldsOf(schema, kind).get(targetOf(name));
    return field?.is_translatable ? { target: field.name, lang } : { target, lang: "" };
  };
  const taken = new Set<string>();
  return header.map((column) => {
    const found = guess(column);
    const key = `${found.target} ${found.lang}`;
    if (taken.has(key)) return { target: "", lang: "" };
    taken.add(key);
    return found;
  });
}

/** Targets by the names that columns have in our own exports (those for programs, too), as labels, and in registers. */
function namesOfTargets(schema: Schema, caller: Caller, kind: Kind): Map<string, string> {
  const byName = new Map<string, string>();
  const learn = (name: string, target: string) => {
    const key = keyOf(name);
    if (key !== "" && !byName.has(key)) byName.set(key, target);
  };
  const fields = fieldsSeen(schema, caller, kind);
  const exported = [
    PLAIN_WORDS,
    ...languages().map((language) => listWords(translator(language), schema, kind)),
  ];
  for (const words of exported)
    for (const { target, name } of basicsOf(kind)) learn(words.column(name), target);
  for (const field of fields)
    for (const name of [field.name, ...Object.values(field.label)]) learn(name, field.name);
  for (const type of schema.relationTypes.values()) {
    const [to, ...others] = type.to_types;
    // a column with links to records of several kinds can have no single target
    if (to === undefined || others.length > 0 || !type.from_types.includes(kind)) continue;
    if (!maySeeLinksOf(caller, type, kind)) continue;
    for (const words of exported) learn(words.link(type), linkTarget(type.name, to));
  }
  for (const name of NUMBER_NAMES) learn(name, "__idno__");
  for (const name of TITLE_NAMES) learn(name, kinds[kind].titleField);
  return byName;
}

/**
 * The separator of several values in one cell as `lists/csv.ts` writes them, if the first rows have such cells. Links always
 * have it: two names in a later row would otherwise become one new record, and replace both links.
 */
export const guessSeparator = (
  rows: readonly (readonly string[])[],
  column: number,
  target: string,
): string =>
  target.startsWith("__relation:") || rows.some((cells) => cells[column]?.includes(" | ")) ? "|" : "";

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
