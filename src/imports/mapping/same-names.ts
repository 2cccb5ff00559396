/** Names that a mapping equates with other names or numbers: `{"O. Brander": "Brander, Oluf", "Brander, Oluf": "ENT-000007"}`. */
import { z } from "zod";
import { said, toldText } from "../../messages/said.ts";
import { LONGEST_NAME, nameKey } from "../../text.ts";

export const MOST_SAME = 5_000;
const name = z.string().trim().min(1).max(LONGEST_NAME);

export const sameForm = z
  .record(name, name)
  .refine(
    (same) => Object.keys(same).length <= MOST_SAME,
    toldText(said("fault.mapping.many_same", { most: MOST_SAME })),
  );

/** What each name finally means, by the key of the name. A name may mean another that means a third. */
export function compileSame(same: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const direct = new Map(Object.entries(same).map(([one, other]) => [nameKey(one), other]));
  return new Map(
    [...direct].map(([key, other]) => {
      const seen = new Set([key]);
      let last = other;
      for (let next = nameKey(last); direct.has(next) && !seen.has(next); next = nameKey(last)) {
        seen.add(next);
        last = direct.get(next)!;
      }
      return [key, last];
    }),
  );
}
