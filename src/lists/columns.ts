/** The columns of our lists: what they are called, and what an import makes of them. */
import { type Kind, kinds } from "../records/kinds.ts";
import { mayBeQualified } from "../records/links/attributions.ts";
import { type Field, fieldsOf, type RelationType, type Schema } from "../records/schema.ts";
import { normalised } from "../text.ts";

export type ColumnWords = {
  /** The heading for a metadata field, `idno`, `status`, the key of the subtype or another column of the record. */
  column(name: string): string;
  link(type: RelationType): string;
  kind(kind: Kind): string;
  /** The roles of the links in the column of this name, and how they qualify a maker. */
  role(link: string): string;
  qualifier(link: string): string;
  /** Storage locations with those around them, only to be read. */
  path(link: string): string;
};

/** A column, but for the language. `target`: of a mapping, or of the import form for a role or qualifier; empty if nothing is imported. */
export type ListColumn = { name: string; target: string } & (
  | { is: "own"; own: string }
  | { is: "field"; field: Field }
  | { is: "link" | "role" | "qualifier" | "path"; type: RelationType; to: Kind }
);

export const linkTarget = (name: string, to: Kind): string => `__relation:${name}:${to}__`;
export const roleTarget = (name: string, to: Kind): string => `__role:${name}:${to}__`;
export const qualifierTarget = (name: string, to: Kind): string => `__qualifier:${name}:${to}__`;

/** `Title (de)`: a column with the values of one language. */
export const IN_LANGUAGE = /^(.+) \(([a-z]{2,3}(?:-[a-z0-9]+)*)\)$/i;

/** All columns that a list may have. Names that are not unique are followed by the name of the API in brackets. */
export function listColumns(schema: Schema, kind: Kind, words: ColumnWords): ListColumn[] {
  const { subtypeKey, columns } = kinds[kind];
  const own = ["idno", subtypeKey, "status", ...columns, "created_at", "updated_at"];
  const all: [code: string, ListColumn][] = [
    ...own.map((name): [string, ListColumn] => [
      `@${name}`,
      { is: "own", own: name, name: words.column(name), target: ownTarget(kind, name) },
    ]),
    ...[...fieldsOf(schema, kind).values()].map((field): [string, ListColumn] => [
      field.name,
      { is: "field", field, name: words.column(field.name), target: field.name },
    ]),
    ...[...schema.relationTypes.values()].flatMap((type) => linkColumns(type, kind, words)),
  ];
  const names = all.map(([, { name }]) => normalised(name.trim(), "NFC"));
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return all.map(([code, column], index) => {
    const name = names[index]!;
    const isPlain = times.get(name) === 1 && !IN_LANGUAGE.test(name);
    return { ...column, name: isPlain ? name : `${name} [${code}]` };
  });
}

function linkColumns(type: RelationType, kind: Kind, words: ColumnWords): [string, ListColumn][] {
  if (!type.from_types.includes(kind)) return [];
  return type.to_types.flatMap((to): [string, ListColumn][] => {
    const name = type.to_types.length === 1 ? words.link(type) : `${words.link(type)} (${words.kind(to)})`;
    const code = `${type.name} ${to}`;
    const all: [string, ListColumn][] = [
      [code, { is: "link", type, to, name, target: linkTarget(type.name, to) }],
      [`${code} role`, { is: "role", type, to, name: words.role(name), target: roleTarget(type.name, to) }],
    ];
    if (to === "storage_location")
      all.push([`${code} path`, { is: "path", type, to, name: words.path(name), target: "" }]);
    if (!mayBeQualified(type)) return all;
    const target = qualifierTarget(type.name, to);
    return [
      ...all,
      [`${code} qualifier`, { is: "qualifier", type, to, name: words.qualifier(name), target }],
    ];
  });
}

function ownTarget(kind: Kind, name: string): string {
  if (name === "idno") return "__idno__";
  if (name === kinds[kind].subtypeKey) return "__type__";
  if (name === "parent_id") return "__parent__";
  return name.endsWith("_at") ? "" : `__${name}__`;
}
