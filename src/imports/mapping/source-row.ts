/** A row of the file, before it is mapped. */
import type { Said } from "../../messages/said.ts";

/** The text of an XML node, with its language (`xml:lang`). */
export type LocalText = { text: string; lang?: string };

/**
 * A cell of CSV has one text, an XPath may give several. `fault`: why the row could not be read. `faulty`: why cells could not be, by
 * column.
 */
export type SourceRow = {
  values: ReadonlyMap<string, string | readonly LocalText[]>;
  fault?: Said;
  faulty?: ReadonlyMap<string, Said>;
};
