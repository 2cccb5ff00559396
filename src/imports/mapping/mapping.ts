/** Parses and checks the mapping of an import before the first row is read (interface §8). */

import { z } from "zod";
import { readAs } from "../../http/faults.ts";
import { isLanguageTag, noLanguageTag } from "../../language-tag.ts";
import { type Said, said, toldText } from "../../messages/said.ts";
import { type Fault, invalid, jsonPointer } from "../../problem.ts";
import { type Kind, kinds, manyOf } from "../../records/kinds.ts";
import { normalised } from "../../text.ts";
import {
  type Authority,
  authorityForm,
  columnOf,
  compileAuthority,
  compileRole,
  qualifierForm,
  type Role,
  roleForm,
} from "../csv/parallel-columns.ts";
import { type Condition, compileCondition, conditionForm, MOST_CONDITIONS } from "./conditions.ts";
import { compileSame, sameForm } from "./same-names.ts";
import { brief, parseTarget, type Target } from "./targets.ts";
import { compileTransform, type Transform, transformForm } from "./transforms.ts";
import type { NameFields } from "./written-names.ts";

/** One column (or XPath) and one of its targets. `pointer`: its place in the JSON. */
export type ColumnMapping = {
  column: string;
  pointer: string;
  target: Target;
  lang?: string;
  /** The values keep the language that the file gives them. */
  ownLanguage?: boolean;
  transforms: readonly Transform[];
  /** For a date: the field for the words as written. */
  wording?: string;
  /** The entry applies only to rows for which all of these conditions hold. */
  onlyIf?: readonly Condition[];
  /** The entry applies only if no earlier entry has given the target a value. */
  fallback?: true;
  /** Rows without a number find their records by these values. */
  key?: true;
  /** For a relation: the role, the qualifier of a maker, and the number of the linked record in an authority file. */
  role?: Role;
  qualifier?: Role;
  authority?: Authority;
  /** For a relation: names stay as they are written. */
  asWritten?: true;
  /** For a relation: the name or number of the record that a name means, by the key of the name. */
  same?: ReadonlyMap<string, string>;
  /** For a relation: the fields for what a cell contains beside a name. */
  names?: NameFields;
};

/** In the order of the JSON, because the first entry with a value wins if a record takes only one. */
export type Mapping = readonly ColumnMapping[];

const longForm = z.strictObject({
  target: z.string().min(1),
  lang: z
    .string()
    .refine(isLanguageTag, { error: ({ input }) => toldText(noLanguageTag(String(input))) })
    .optional(),
  /** For a relation: false links only to existing records. */
  create: z.boolean().optional(),
  role: roleForm.optional(),
  qualifier: qualifierForm.optional(),
  authority: authorityForm.optional(),
  /** For a relation: what to do if several records have the name. */
  if_several: z.enum(["refuse", "leave_out", "oldest"]).optional(),
  /** For a relation: `similar` also takes a record whose name differs in accents or punctuation. */
  match: z.enum(["exact", "similar"]).optional(),
  key: z.literal(true).optional(),
  /** For a relation: years after a name, and words such as "unknown", count as part of the name. */
  as_written: z.literal(true).optional(),
  /** For a relation: the name or number of the record that each of these names means. */
  same: sameForm.optional(),
  /** For a relation to records with parents: the separator of levels, as in "Depot 1, Shelf 3". */
  levels: z.string().min(1).max(10).optional(),
  /** For a relation: the subtype of records that are created for the names. */
  subtype: z.string().min(1).max(200).optional(),
  fallback: z.literal(true).optional(),
  only_if: conditionForm.optional(),
  transforms: z.array(transformForm).default([]),
});
const withSeveralConditions = longForm.extend({
  only_if: z.array(conditionForm).min(1).max(MOST_CONDITIONS),
});

/** Keys that are allowed for only one kind of target. */
const OF_TARGETS = {
  lang: "field",
  key: "field",
  create: "relation",
  subtype: "relation",
  role: "relation",
  qualifier: "relation",
  authority: "relation",
  if_several: "relation",
  match: "relation",
  levels: "relation",
  as_written: "relation",
  same: "relation",
} as const;

/** Limits: transforms per value, entries per mapping, and cost per character of all patterns together. */
const MOST_TRANSFORMS = 100;
const MOST_ENTRIES = 5_000;
const MOST_PATTERN_COST = 50_000;

const MOST_FAULTS = 100;
const FORM = said("fault.mapping.form");

/** Throws a problem with all faults of `json`. With `recordType`, targets that such records do not have are faults too. */
export function parseMapping(json: unknown, recordType?: Kind): Mapping {
  if (!isObject(json)) {
    const detail = said("fault.mapping.not_object");
    throw invalid([{ pointer: "", detail }], detail);
  }
  const faults: Fault[] = [];
  const mapping: ColumnMapping[] = [];
  const seen = new Map<string, string>();
  let entries = 0;
  let patternCost = 0;
  let isEnough = false;
  for (const [key, value] of Object.entries(json)) {
    const pointer = jsonPointer(key);
    const column = normalised(key.trim(), "NFC");
    const twin = seen.get(column);
    if (column === "") faults.push({ pointer, detail: said("fault.mapping.no_column_name") });
    if (twin !== undefined)
      faults.push({ pointer, detail: said("fault.mapping.same_column", { column: brief(twin) }) });
    seen.set(column, key);
    if (Array.isArray(value)) {
      if (value.length === 0) faults.push({ pointer, detail: FORM });
      for (const [index, one] of value.entries()) add(column, `${pointer}/${index}`, one);
    } else {
      add(column, pointer, value);
    }
  }
  if (seen.size === 0) faults.push({ pointer: "", detail: said("fault.mapping.empty") });
  faults.push(...mixedRules(mapping));
  if (faults.length > 0) throw invalid(faults, summaryOf(faults));
  return mapping;

  function add(column: string, pointer: string, form: unknown): void {
    entries += 1;
    if (isEnough) return;
    isEnough = entries > MOST_ENTRIES || patternCost > MOST_PATTERN_COST || faults.length >= MOST_FAULTS;
    if (isEnough) {
      const detail = said(
        faults.length >= MOST_FAULTS ? "fault.mapping.unchecked" : "fault.mapping.too_large",
      );
      faults.push({ pointer, detail });
      return;
    }
    const long = typeof form === "string" ? { target: form } : form;
    if (!isObject(long)) {
      faults.push({ pointer, detail: FORM });
      return;
    }
    if (Array.isArray(long.transforms) && long.transforms.length > MOST_TRANSFORMS) {
      const detail = said("fault.mapping.many_transforms", {
        count: long.transforms.length,
        most: MOST_TRANSFORMS,
      });
      faults.push({ pointer: `${pointer}/transforms`, detail });
      return;
    }
    const parsed = readAs(Array.isArray(long.only_if) ? withSeveralConditions : longForm, long);
    if ("faults" in parsed) {
      faults.push(...parsed.faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer })));
    }
    if (typeof long.target !== "string" || long.target === "") return;
    const target = parseTarget(long.target, recordType);
    const at = typeof form === "string" ? pointer : `${pointer}/target`;
    if ("fault" in target) {
      faults.push({ pointer: at, detail: target.fault });
      return;
    }
    const strange = Object.entries(OF_TARGETS).find(
      ([key, kind]) => long[key] !== undefined && target.kind !== kind,
    );
    if (strange) {
      const [key, kind] = strange;
      faults.push({
        pointer: `${pointer}/${key}`,
        detail: said(`fault.mapping.only_for_${kind}`, { target: brief(long.target) }),
      });
    } else if (
      long.levels !== undefined &&
      target.kind === "relation" &&
      !kinds[target.to_type].columns.includes("parent_id")
    ) {
      const detail = said("fault.target.no_column", { kinds: manyOf(target.to_type), column: "parent_id" });
      faults.push({ pointer: `${pointer}/levels`, detail });
    } else if ("data" in parsed) {
      const { lang, create, subtype, if_several, match, levels, key, fallback, as_written, same } =
        parsed.data;
      const transforms = parsed.data.transforms.map(compileTransform);
      const role = parsed.data.role === undefined ? undefined : compileRole(parsed.data.role);
      const qualifier = parsed.data.qualifier === undefined ? undefined : compileRole(parsed.data.qualifier);
      const authority = parsed.data.authority && compileAuthority(parsed.data.authority);
      const onlyIf = [parsed.data.only_if ?? []].flat().map(compileCondition);
      const parallels = [role, qualifier, authority].map((side) => columnOf(side)?.transforms ?? []);
      patternCost += onlyIf.reduce((sum, { cost }) => sum + cost, 0);
      for (const { type, cost } of [transforms, ...parallels].flat())
        if (type.startsWith("regex")) patternCost += cost;
      mapping.push({
        column,
        pointer,
        target:
          target.kind === "relation"
            ? {
                ...target,
                create: create === false ? create : undefined,
                ifSeveral: if_several === "refuse" ? undefined : if_several,
                match: match === "similar" ? match : undefined,
                levels,
                subtype,
              }
            : target,
        lang,
        key,
        role,
        qualifier,
        authority,
        fallback,
        asWritten: as_written,
        same: same && compileSame(same),
        onlyIf: onlyIf.length > 0 ? onlyIf : undefined,
        transforms,
      });
    }
  }
}

/** Every column (or XPath) that a mapping names, also in templates and conditions, with its place. */
export function columnsNamed(mapping: Mapping): [column: string, pointer: string][] {
  return mapping.flatMap(
    ({ column, pointer, transforms, role, qualifier, authority, onlyIf = [] }): [string, string][] => {
      const sides = [role, qualifier, authority].map(columnOf).filter((side) => side !== undefined);
      const read = [transforms, ...sides.map((side) => side.transforms)]
        .flat()
        .flatMap(({ columns }) => columns);
      const others = [
        ...sides.map((side) => side.column),
        ...onlyIf.map(({ column: asked }) => asked),
        ...read,
      ];
      return [
        [column, pointer.replace(/^(\/[^/]*).*$/, "$1")],
        ...others.map((name): [string, string] => [name, pointer]),
      ];
    },
  );
}

/** Refuses different rules for names of one record type, because the order of rows would decide which records are created. */
function mixedRules(mapping: Mapping): Fault[] {
  const links = mapping.flatMap(({ column, pointer, target }) =>
    target.kind === "relation" ? [{ column, pointer, target }] : [],
  );
  return links.flatMap(({ pointer, target }) =>
    (["match", "levels"] as const).flatMap((rule) => {
      const other = links.find(
        (one) => one.target.to_type === target.to_type && one.target[rule] !== target[rule],
      );
      if (target[rule] === undefined || !other) return [];
      const kind = said(`kind.many.${target.to_type}`);
      const detail = said("fault.mapping.mixed_match", { kind, column: brief(other.column) });
      return [{ pointer: `${pointer}/${rule}`, detail }];
    }),
  );
}

function summaryOf(faults: readonly Fault[]): Said {
  const { pointer, detail: fault } = faults[0]!;
  if (faults.length > 1) return said("problem.mapping.faults", { count: faults.length });
  return pointer === "" ? fault : said("problem.mapping.at", { pointer, fault });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the mapping, before it is parsed, maps something to `__idno__`. */
export function mapsIdno(json: unknown): boolean {
  const forms = isObject(json) ? Object.values(json).flat() : [];
  return forms.some((form) => (isObject(form) ? form.target : form) === "__idno__");
}
