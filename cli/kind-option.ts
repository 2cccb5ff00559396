/** --type: a kind of record, or all of them. */
import { didYouMean } from "../src/nearest.ts";
import { isKind, KINDS, type Kind } from "../src/records/kinds.ts";
import { Refusal } from "../src/refusal.ts";

/** Null where nothing was said. */
export function demandKind(given: string | undefined): Kind | null {
  if (given === undefined) return null;
  if (isKind(given)) return given;
  throw new Refusal(
    `There is no record type ${JSON.stringify(given)}; there are ${KINDS.join(", ")}${didYouMean(given, KINDS)}`,
    2,
  );
}
