/** "Only if the column Kind is painting": when an entry of a mapping counts for a row. */
import { z } from "zod";
import { compilePattern, type Extraction } from "./patterns.ts";

const LONGEST = 1_000;
const texts = z.union(
  [z.string().max(LONGEST), z.array(z.string().max(LONGEST)).min(1).max(1_000)],
  "must be a text or a list of texts",
);

export const conditionForm = z
  .strictObject({
    column: z.string().trim().min(1),
    is: texts.optional(),
    is_not: texts.optional(),
    matches: z.string().min(1).optional(),
  })
  .superRefine(({ is, is_not, matches }, context) => {
    if ([is, is_not, matches].filter((each) => each !== undefined).length !== 1)
      context.addIssue({ code: "custom", message: "has one of is, is_not and matches" });
    const compiled = matches === undefined ? null : compilePattern(matches, 0);
    if (typeof compiled === "string")
      context.addIssue({ code: "custom", path: ["matches"], message: compiled });
  });

/** `cost`: of each character that it looks at. */
export type Condition = { column: string; cost: number; holds(said: readonly string[]): boolean };

/** Of several values in a column, one must be so; with `is_not`, none. An empty cell is `""`. */
export function compileCondition(form: z.output<typeof conditionForm>): Condition {
  const column = form.column.normalize("NFC");
  if (form.matches !== undefined) {
    const { find, cost } = compilePattern(form.matches, 0) as Extraction;
    return { column, cost, holds: (said) => said.some((text) => find(text.trim()) !== undefined) };
  }
  const named = new Set([form.is ?? form.is_not ?? []].flat().map(plain));
  const isNamed = (said: readonly string[]) => said.some((text) => named.has(plain(text)));
  return { column, cost: 1, holds: form.is === undefined ? (said) => !isNamed(said) : isNamed };
}

const plain = (text: string): string => text.trim().normalize().toLowerCase();
