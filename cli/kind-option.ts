/** The option --type: one record type, or all. */
import { didYouMean } from "../src/nearest.ts";
import { isKind, KINDS, type Kind } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";

/** Null without --type. */
export function demandKind(name: string | undefined): Kind | null {
  if (name === undefined) return null;
  if (isKind(name)) return name;
  throw new Refusal(
    `There is no record type ${JSON.stringify(name)}; the types are ${KINDS.join(", ")}${didYouMean(name, KINDS)}`,
    2,
  );
}
