/** All possible meanings of a column, grouped by topic. */
import { linkTarget, listColumns, qualifierTarget, roleTarget } from "../../lists/columns.ts";
import { labelIn } from "../../pages/texts.ts";
import type { View } from "../../pages/view.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import type { Schema } from "../../records/schema.ts";
import { visibleFields } from "../../records/visibility.ts";
import { arranged, type Group } from "../editor/groups.ts";
import { linkChoices } from "../editor/link-choices.ts";
import { listWords } from "../lists/export.ts";
import { LEVELS, MEDIA, OBJECT_NAME, TOGETHER } from "./form.ts";

type TargetChoice = { value: string; label: string; isDate?: boolean };
export type TargetGroup = { label: string; choices: readonly TargetChoice[] };

/** Links that are listed among fields. */
const WITH_FIELDS: Readonly<Record<string, Group>> = {
  created_by: "production",
  made_at: "production",
  acquired_from: "acquisition",
  depicts: "description",
};
/** Columns that name a record; the others tell its place and state. */
const NAMING = ["__idno__", "__type__"];
const WHERE = ["stored_at", "in_collection"];

export function targetsOf(view: View, schema: Schema, kind: Kind): TargetGroup[] {
  const { t, caller } = view;
  const words = listWords(t, schema, kind);
  const links = linkChoices(view, schema, kind).flatMap(({ name, label, to, takesQualifier }) =>
    to.map((other) => ({ name, other, takesQualifier, label: `${label} → ${t(`kind.${other}`)}` })),
  );
  const own = listColumns(schema, kind, words).flatMap(({ is, target, name }): TargetChoice[] =>
    is === "own" && target !== "" ? [{ value: target, label: name }] : [],
  );
  const linksTo = (isWanted: (name: string) => boolean): TargetChoice[] =>
    links
      .filter(({ name }) => isWanted(name))
      .flatMap(({ name, other, label }) => {
        const value = linkTarget(name, other);
        const levels = { value: LEVELS + value, label: t("admin.import.levels", { label }) };
        return [{ value, label }, ...(kinds[other].columns.includes("parent_id") ? [levels] : [])];
      });
  const isNaming = ({ value }: TargetChoice) => NAMING.includes(value);
  const fields = visibleFields(schema, caller, kind);
  const byMeaning = arranged(fields, [], () => true).shown.map(({ group, fields: those }) => ({
    label: t(`editor.group.${group}`),
    choices: [
      ...(group === "identification" ? own.filter(isNaming) : []),
      ...linksTo((name) => WITH_FIELDS[name] === group),
      ...those.flatMap(({ name, label, field_type }) => [
        { value: name, label: labelIn(label, t.language, name), isDate: field_type === "date" },
        ...(kind === "object" && name === OBJECT_NAME ? namedTypes(view, kind) : []),
      ]),
    ],
  }));
  const isElsewhere = (name: string) => name in WITH_FIELDS || WHERE.includes(name);
  return [
    ...byMeaning,
    {
      label: t("admin.import.basics"),
      choices: [
        ...linksTo((name) => WHERE.includes(name)),
        ...own.filter((one) => !isNaming(one)),
        ...(kind === "object" ? [{ value: MEDIA, label: t("admin.import.photoNames") }] : []),
      ],
    },
    { label: t("admin.import.links"), choices: linksTo((name) => !isElsewhere(name)) },
    {
      label: t("admin.import.roles"),
      choices: links.map(({ name, other, label }) => ({
        value: roleTarget(name, other),
        label: words.role(label),
      })),
    },
    {
      label: t("admin.import.qualifiers"),
      choices: links
        .filter(({ takesQualifier }) => takesQualifier)
        .map(({ name, other, label }) => ({
          value: qualifierTarget(name, other),
          label: words.qualifier(label),
        })),
    },
  ].filter(({ choices }) => choices.length > 0);
}

/** A column of object names may also set types and titles. */
function namedTypes({ t }: View, kind: Kind): TargetChoice[] {
  const { titleField } = kinds[kind];
  return [
    { value: [OBJECT_NAME, "__type__"].join(TOGETHER), label: t("admin.import.nameAndType") },
    {
      value: [titleField, OBJECT_NAME, "__type__"].join(TOGETHER),
      label: t("admin.import.titleNameAndType"),
    },
    { value: [titleField, OBJECT_NAME].join(TOGETHER), label: t("admin.import.titleAndName") },
  ];
}
