/** Columns that belong to a column of names: roles, qualifiers of makers, and numbers of an authority file. */

import { z } from "zod";
import { type Said, said, toldText } from "../../messages/said.ts";
import type { DescribedEnd } from "../../records/batch/described-ends.ts";
import { type Kind, kinds } from "../../records/kinds.ts";
import { authorityFault, authorityIri } from "../../records/write/authority-ids.ts";
import { type NameMatch, nameKey, normalised } from "../../text.ts";
import type { LocalText, SourceRow } from "../mapping/source-row.ts";
import type { RowContext } from "../mapping/step.ts";
import { brief, shortColumn } from "../mapping/targets.ts";
import { compileTransform, type Transform, transformForm, VALUE_COST } from "../mapping/transforms.ts";

const MOST_TRANSFORMS = 100;
const columnForm = z.strictObject({
  column: z.string().trim().min(1),
  transforms: z.array(transformForm).max(MOST_TRANSFORMS).default([]),
});

const textOrColumn = [z.string().trim().min(1).max(500), columnForm] as const;
export const roleForm = z.union(textOrColumn, toldText(said("fault.mapping.role")));
export const qualifierForm = z.union(textOrColumn, toldText(said("fault.mapping.qualifier")));
export const authorityForm = columnForm.extend({ field: z.string().min(1) });

/** A role or a qualifier: the same `text` for all links, or a column. */
export type Role = { text: string } | ParallelColumn;
type ParallelColumn = { column: string; transforms: readonly Transform[] };
export type Authority = ParallelColumn & { field: string };

const compileColumn = ({ column, transforms }: z.output<typeof columnForm>): ParallelColumn => ({
  column: normalised(column, "NFC"),
  transforms: transforms.map(compileTransform),
});

export const compileRole = (form: z.output<typeof roleForm>): Role =>
  typeof form === "string" ? { text: form } : compileColumn(form);
export const compileAuthority = (form: z.output<typeof authorityForm>): Authority => ({
  ...compileColumn(form),
  field: form.field,
});

/** Undefined for a text, which is the same for all links. */
export const columnOf = (side: Role | Authority | undefined): ParallelColumn | undefined =>
  side && "column" in side ? side : undefined;

/**
 * A value of a cell with its roles, authority number and qualifier. Roles and qualifier are empty if their column has none for
 * it. `from`: how many transforms were already applied.
 */
export type Part = LocalText & {
  from: number;
  roles?: readonly string[];
  qualifier?: string;
  authority?: string;
};

type ParallelEntry = {
  transforms: readonly Transform[];
  role?: Role;
  qualifier?: Role;
  authority?: Authority;
};

/**
 * Pairs the values of a cell with their roles, qualifiers and authority numbers. The other cells are split at the same delimiter
 * as the names, and empty parts count. In XML, the nodes of both XPaths are paired in order.
 */
export function partsWithParallels(
  values: readonly LocalText[],
  entry: ParallelEntry,
  row: SourceRow,
  context: RowContext,
): Part[] {
  const { role, qualifier, authority, transforms } = entry;
  const sides = [role, qualifier, authority].map(columnOf);
  const own = {
    ...(role && "text" in role ? { roles: [role.text] } : {}),
    ...(qualifier && "text" in qualifier ? { qualifier: qualifier.text } : {}),
  };
  if (sides.every((side) => side === undefined)) return values.map((each) => ({ ...each, from: 0, ...own }));
  const at = transforms.findIndex(({ cut }) => cut !== undefined);
  const cut = values.length === 1 && at >= 0 ? transforms[at]!.cut! : null;
  const parts: Part[] =
    cut === null
      ? values.map((each) => ({ ...each, from: 0 }))
      : through(transforms.slice(0, at), values[0]!.text, context)
          .flatMap(cut)
          .map((text) => ({ ...values[0]!, text, from: at }));
  context.spend(VALUE_COST * parts.length);
  const [roles, qualifiers, numbers] = sides.map((side) =>
    side ? parallelValues(side, parts.length, cut, row, context, side !== authority) : undefined,
  );
  const atIndex = (all: readonly string[][] | undefined, index: number) =>
    all?.length === 1 ? all[0] : all?.[index];
  return parts.map((part, index) => ({
    ...part,
    ...(roles ? { roles: atIndex(roles, index) ?? [] } : {}),
    ...(qualifiers ? { qualifier: atIndex(qualifiers, index)?.[0] ?? "" } : {}),
    ...own,
    authority: numbers?.[index]?.[0],
  }));
}

/** The values of another column, one list per name. If `shared`, a single value may serve all names. */
function parallelValues(
  side: ParallelColumn,
  count: number,
  cut: Transform["cut"] | null,
  row: SourceRow,
  context: RowContext,
  shared: boolean,
): string[][] {
  const column = brief(shortColumn(side.column));
  const fault = row.faulty?.get(side.column);
  if (fault) {
    context.fault(said("fault.row.other_column", { column, fault }));
    return [];
  }
  const cell = row.values.get(side.column) ?? "";
  const values = typeof cell === "string" ? [cell] : cell.map(({ text }) => text);
  const texts = values.length === 1 && cut ? cut(values[0]!) : values;
  context.spend(VALUE_COST * texts.length);
  if (texts.every((text) => text.trim() === "")) return [];
  if (texts.length !== count && !(shared && texts.length === 1)) {
    context.fault(said("fault.row.not_as_many", { count, column, found: texts.length }));
    return [];
  }
  return texts.map((text) =>
    through(side.transforms, text.trim(), context)
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  );
}

function through(transforms: readonly Transform[], text: string, context: RowContext): string[] {
  return transforms.reduce(
    (values, { step, cost }) => {
      context.spend(cost * values.reduce((sum, value) => sum + VALUE_COST + value.length, 0));
      return step(values, context);
    },
    [text],
  );
}

/** Describes a linked record by its number in an authority file; null without such a number. */
export function describedBy(
  authority: Authority | undefined,
  { text, authority: number }: Pick<Part, "text" | "authority">,
  { to_type, subtype, match }: { to_type: Kind; subtype?: string; match?: NameMatch },
  fault: (detail: Said) => void,
): DescribedEnd | null {
  if (!authority || number === undefined) return null;
  const wrong = authorityFault(authority.field, number);
  if (wrong !== null)
    fault(said("fault.row.other_column", { column: brief(shortColumn(authority.column)), fault: wrong }));
  return {
    key: authorityIri(authority.field, number) ?? `${number} ${nameKey(text, match)}`,
    ...(subtype === undefined ? {} : { subtype }),
    metadata: { [kinds[to_type].titleField]: [{ value: text }], [authority.field]: [{ value: number }] },
  };
}
