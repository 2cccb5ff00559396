/** The option --type: one record type, or all. */
import { said } from "../../src/messages/said.ts";
import { KINDS, type Kind, kinds } from "../../src/records/kinds.ts";
import { Refusal } from "../../src/refusal.ts";
import { nearest, withNear } from "../../src/text/nearest.ts";

/** A type by its name or its plural (`object`, `objects`). Null without --type. */
export function demandKind(name: string | undefined): Kind | null {
  if (name === undefined) return null;
  const found = KINDS.find((kind) => kind === name || kinds[kind].plural === name);
  if (found) return found;
  throw new Refusal(
    withNear(said("cli.no_type", { type: name, known: KINDS.join(", ") }), nearest(name, KINDS)),
    2,
  );
}
