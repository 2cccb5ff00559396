/** Checks that a word is one of a known list. */
import { type Said, said } from "../../src/messages/said.ts";
import { KINDS, type Kind, kinds } from "../../src/records/kinds.ts";
import { Refusal } from "../../src/refusal.ts";
import { nearest, withNear } from "../../src/text/nearest.ts";

/** Refuses a word that is not in the list, and suggests the nearest one. */
export function demandOneOf<T extends string>(
  value: string,
  all: readonly T[],
  fault: (known: string) => Said,
): T {
  const found = all.find((each) => each === value);
  if (found !== undefined) return found;
  throw new Refusal(withNear(fault(all.join(", ")), nearest(value, all)), 2);
}

/** The value of --type: a type by its name or its plural (`object`, `objects`). Null without the option. */
export function demandKind(type: string | undefined): Kind | null {
  if (type === undefined) return null;
  const kind = KINDS.find((each) => kinds[each].plural === type);
  return kind ?? demandOneOf(type, KINDS, (known) => said("cli.no_type", { type, known }));
}

export function optionOf<T extends string>(
  option: string,
  value: string | undefined,
  all: readonly T[],
): T | undefined {
  const found = all.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  throw new Refusal(said("cli.usage.one_of", { option, known: all.join(", "), value }), 2);
}
