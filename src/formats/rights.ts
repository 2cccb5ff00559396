/** The rights statement or licence of an object. */
import { rightsUri } from "../vocabularies/rights.ts";
import { entriesBy } from "./named.ts";
import type { DeliveredView } from "./view.ts";

/** The object's own rights statement or licence; null if it has none with a standard address. */
export function statementOf(view: DeliveredView): string | null {
  const values = entriesBy(view, view.record.row, "right").map(({ value }) => rightsUri(value));
  return values.find((uri) => uri !== null) ?? null;
}

/** The delivered rights of an object: the licence of its first file, else its own statement. */
export const deliveredRights = (view: DeliveredView): string | null =>
  rightsUri(view.record.media[0]?.license_uri ?? "") ?? statementOf(view);
