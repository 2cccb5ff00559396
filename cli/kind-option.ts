/** The option --type: one record type, or all. */
import { didYouMean } from "../src/nearest.ts";
import { KINDS, type Kind, kinds } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";

/** A type by its name or its plural (`object`, `objects`). Null without --type. */
export function demandKind(name: string | undefined): Kind | null {
  if (name === undefined) return null;
  const found = KINDS.find((kind) => kind === name || kinds[kind].plural === name);
  if (found) return found;
  throw new Refusal(
    `There is no record type ${JSON.stringify(name)}; the types are ${KINDS.join(", ")}${didYouMean(name, KINDS)}`,
    2,
  );
}
