/** The transforms of a mapping: their JSON form, and the functions that apply them. */

import { z } from "zod";
import { said, toldText } from "../../messages/said.ts";
import { DATE_FORMATS, LANGUAGES } from "../../records/dates/readings.ts";
import { partsOf, unescaped } from "../../text/csv-cells.ts";
import { compilePattern, type Extraction } from "./patterns.ts";
import { readDates } from "./read-dates.ts";
import type { Step } from "./step.ts";
import { brief } from "./targets.ts";
import { fillTemplate, parseTemplate, type Template } from "./templates.ts";
import { converted, isAlike, UNIT_NAMES } from "./units.ts";

/** A compiled transform. `columns`: other columns that it reads. `cost`: work per character. */
export type Transform = {
  type: TransformForm["type"];
  step: Step;
  columns: readonly string[];
  cost: number;
  /** For `split`: cuts a text into parts, before they are trimmed. */
  cut?: (text: string) => string[];
  /** The values come from our own exports, so surrounding blanks and repeated values are kept. */
  exact?: boolean;
};

export const isExact = (transforms: readonly Transform[]): boolean => transforms.some(({ exact }) => exact);

/** Most characters of a search text. */
const LONGEST_SEARCH = 1_000;
/** The cost of a step of the pattern engine, in characters. */
const PATTERN_STEP = 7;
/** The cost of each new value, regardless of its length. */
export const VALUE_COST = 10;

/** `$1` in a replacement; `$$` is a dollar. */
const GROUP = /\$(?:(\d)|\$)/g;

const TYPES = [
  ...["split", "replace", "regex_extract", "regex_replace", "trim", "vocab_map", "template", "edtf"],
  "convert",
];

export const transformForm = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("split"),
      delimiter: z.string().min(1).max(LONGEST_SEARCH).default(";"),
      filter_empty: z.boolean().default(true),
      escaped: z.boolean().default(false),
    }),
    z.strictObject({
      type: z.literal("replace"),
      search: z.string().min(1).max(LONGEST_SEARCH),
      replace: z.string().default(""),
      case_sensitive: z.boolean().default(true),
    }),
    z
      .strictObject({
        type: z.literal("regex_extract"),
        pattern: z.string().min(1),
        group: z
          .union([z.int().min(0), z.string().min(1)], toldText(said("fault.transform.group")))
          .optional(),
        case_sensitive: z.boolean().default(true),
      })
      .superRefine((form, context) => {
        const compiled = compilePattern(form.pattern, form.group, form.case_sensitive);
        if ("fault" in compiled)
          context.addIssue({ code: "custom", path: ["pattern"], message: toldText(compiled.fault) });
      }),
    z
      .strictObject({
        type: z.literal("regex_replace"),
        pattern: z.string().min(1),
        replace: z.string().max(LONGEST_SEARCH).default(""),
        case_sensitive: z.boolean().default(true),
      })
      .superRefine((form, context) => {
        const compiled = compilePattern(form.pattern, 0, form.case_sensitive);
        if ("fault" in compiled)
          context.addIssue({ code: "custom", path: ["pattern"], message: toldText(compiled.fault) });
        const wanted = Math.max(
          0,
          ...[...form.replace.matchAll(GROUP)].map(([, group]) => Number(group ?? 0)),
        );
        if (!("fault" in compiled) && wanted > compiled.groups)
          context.addIssue({
            code: "custom",
            path: ["replace"],
            message: toldText(
              said("fault.transform.no_group", { group: String(wanted), groups: String(compiled.groups) }),
            ),
          });
      }),
    z.strictObject({ type: z.literal("trim") }),
    z.strictObject({
      type: z.literal("vocab_map"),
      map: z
        .record(z.string(), z.string())
        .refine((map) => Object.keys(map).length > 0, toldText(said("fault.transform.no_entry"))),
      strict: z.boolean().default(false),
    }),
    z
      .strictObject({ type: z.literal("template"), template: z.string().min(1) })
      .superRefine((form, context) => {
        const parsed = parseTemplate(form.template);
        if ("fault" in parsed)
          context.addIssue({ code: "custom", path: ["template"], message: toldText(parsed.fault) });
      }),
    z.strictObject({
      type: z.literal("edtf"),
      lang: z.enum(LANGUAGES).optional(),
      format: z
        .union([
          z.enum(DATE_FORMATS).transform((one) => [one]),
          z.array(z.enum(DATE_FORMATS)).max(DATE_FORMATS.length),
        ])
        .default([]),
      strict: z.boolean().default(false),
    }),
    z
      .strictObject({
        type: z.literal("convert"),
        from: z.enum(UNIT_NAMES),
        to: z.enum(UNIT_NAMES),
        decimals: z.int().min(0).max(6).default(2),
      })
      .superRefine(({ from, to }, context) => {
        if (!isAlike(from, to))
          context.addIssue({
            code: "custom",
            path: ["to"],
            message: toldText(said("fault.transform.not_alike", { unit: from })),
          });
      }),
  ],
  toldText(said("fault.transform.unknown", { types: TYPES.join(", ") })),
);

export type TransformForm = z.output<typeof transformForm>;

export function compileTransform(form: TransformForm): Transform {
  const columns: string[] = [];
  const made = (step: Step, cost = 1): Transform => ({ type: form.type, step, columns, cost });
  switch (form.type) {
    case "split": {
      const { delimiter, escaped: exact } = form;
      const cut = (text: string) => (exact ? partsOf(text, delimiter) : text.split(delimiter));
      const split = made((values) => {
        const parts = values.flatMap(cut).map((part) => (exact ? unescaped(part, delimiter) : part.trim()));
        return form.filter_empty ? parts.filter((part) => part !== "") : parts;
      });
      return { ...split, cut, exact };
    }
    case "replace": {
      const search = form.case_sensitive ? form.search : new RegExp(escaped(form.search), "giu");
      return made((values, row) =>
        values.map((value) =>
          value.replaceAll(search, () => {
            row.spend(VALUE_COST + form.replace.length);
            return form.replace;
          }),
        ),
      );
    }
    case "regex_extract": {
      const extraction = compilePattern(form.pattern, form.group, form.case_sensitive) as Extraction;
      return made(extract(extraction), extraction.cost * PATTERN_STEP);
    }
    case "regex_replace": {
      const extraction = compilePattern(form.pattern, 0, form.case_sensitive) as Extraction;
      return made(replaceMatches(extraction, form.replace), extraction.cost * PATTERN_STEP);
    }
    case "convert":
      return made((values, row) =>
        values.flatMap((value) => {
          const number = converted(value, form.from, form.to, form.decimals);
          if (number === null && value.trim() !== "") row.unmatched(value);
          return number ?? [];
        }),
      );
    case "trim":
      return made((values) => values.map((value) => value.trim()));
    case "vocab_map":
      return made(lookUp(form.map, form.strict));
    case "template": {
      const template = parseTemplate(form.template) as Template;
      for (const column of template.columns) columns.push(column);
      const { length } = form.template;
      return made((values, row) =>
        values.map((value) => {
          row.spend(length + value.length * template.places);
          return fillTemplate(template, value, row.read);
        }),
      );
    }
    case "edtf":
      return made(readDates(form));
  }
}

function extract({ find }: Extraction): Step {
  return (values, row) =>
    values.flatMap((value) => {
      const part = find(value);
      if (part === undefined && value.trim() !== "") row.unmatched(value);
      return part ?? [];
    });
}

/** Replaces every match. Counts the rest of the value as work for each match, because the search may read it. */
function replaceMatches({ all, cost }: Extraction, by: string): Step {
  return (values, row) =>
    values.map((value) => {
      let changed = "";
      let at = 0;
      for (const { from, to, group } of all(value)) {
        const put = by.replace(GROUP, (_, n) => (n === undefined ? "$" : group(Number(n))));
        row.spend(VALUE_COST + put.length + (value.length - to) * cost);
        changed += value.slice(at, from) + put;
        at = to;
      }
      return changed + value.slice(at);
    });
}

/**
 * Looks up a value as written, then without regard to case and surrounding blanks, then under `*` (our addition to the contract).
 * A value that is not found stays. The entry `""` is only for empty cells. A value that is mapped to `""` is left out.
 */
function lookUp(map: Readonly<Record<string, string>>, strict: boolean): Step {
  const exact = new Map(Object.entries(map));
  const folded = new Map(Object.entries(map).map(([from, to]) => [from.trim().toLowerCase(), to]));
  const other = exact.get("*");
  return (values, row) =>
    values.map((value) => {
      const plain = value.trim().toLowerCase();
      const found = exact.get(value) ?? folded.get(plain) ?? (plain === "" ? value : other);
      if (found === undefined && strict) row.fault(said("fault.row.not_in_map", { value: brief(value) }));
      return found ?? value;
    });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
