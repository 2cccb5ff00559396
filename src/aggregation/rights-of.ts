/** Which statement holds for an object and for its files. */
import { entriesBy } from "./named.ts";
import { rightsUri } from "./rights.ts";
import type { DeliveredView } from "./view.ts";

/** The object's own rights statement or licence; null when it has none that is known everywhere. */
export function statementOf(view: DeliveredView): string | null {
  const values = entriesBy(view, view.record.row, "right").map(({ value }) => rightsUri(value));
  return values.find((uri) => uri !== null) ?? null;
}

/** What holds for the object as it is delivered: the licence of its first file, else its own statement. */
export const deliveredRights = (view: DeliveredView): string | null =>
  rightsUri(view.record.media[0]?.license_uri ?? "") ?? statementOf(view);
