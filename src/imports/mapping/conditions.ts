/** Conditions of a mapping, such as "only if the column Kind is painting". All conditions of an entry must be met. */

import { z } from "zod";
import { said, toldText } from "../../messages/said.ts";
import { composed, normalised } from "../../text.ts";
import { compilePattern, type Extraction } from "./patterns.ts";

const LONGEST = 1_000;
const texts = z.union(
  [z.string().max(LONGEST), z.array(z.string().max(LONGEST)).min(1).max(1_000)],
  toldText(said("fault.mapping.texts")),
);

export const conditionForm = z
  .strictObject({
    column: z.string().trim().min(1),
    is: texts.optional(),
    is_not: texts.optional(),
    matches: z.string().min(1).optional(),
    matches_not: z.string().min(1).optional(),
  })
  .superRefine(({ column: _, ...tests }, context) => {
    if (Object.values(tests).filter((each) => each !== undefined).length !== 1)
      context.addIssue({ code: "custom", message: toldText(said("fault.mapping.one_test")) });
    for (const name of ["matches", "matches_not"] as const) {
      const compiled = compilePattern(tests[name] ?? "", 0);
      if ("fault" in compiled)
        context.addIssue({ code: "custom", path: [name], message: toldText(compiled.fault) });
    }
  });

export const MOST_CONDITIONS = 20;

/** A compiled condition. `cost`: the work per character that it reads. */
export type Condition = { column: string; cost: number; holds(values: readonly string[]): boolean };

/** If a column has several values, one must match; with `is_not` and `matches_not`, none may match. An empty cell is `""`. */
export function compileCondition(form: z.output<typeof conditionForm>): Condition {
  const column = normalised(form.column, "NFC");
  const pattern = form.matches ?? form.matches_not;
  if (pattern !== undefined) {
    const { find, cost } = compilePattern(pattern, 0) as Extraction;
    const matches = (values: readonly string[]) => values.some((text) => find(text.trim()) !== undefined);
    return { column, cost, holds: form.matches === undefined ? (values) => !matches(values) : matches };
  }
  const named = new Set([form.is ?? form.is_not ?? []].flat().map(plain));
  const isNamed = (values: readonly string[]) => values.some((text) => named.has(plain(text)));
  return { column, cost: 1, holds: form.is === undefined ? (values) => !isNamed(values) : isNamed };
}

const plain = (text: string): string => composed(text.trim()).toLowerCase();
