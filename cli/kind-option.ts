/** The option --type: one record type, or all. */
import { didYouMean } from "../src/nearest.ts";
import { isKind, KINDS, type Kind } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";

/** Null without --type. */
export function demandKind(given: string | undefined): Kind | null {
  if (given === undefined) return null;
  if (isKind(given)) return given;
  throw new Refusal(
    `There is no record type ${JSON.stringify(given)}; the types are ${KINDS.join(", ")}${didYouMean(given, KINDS)}`,
    2,
  );
}
