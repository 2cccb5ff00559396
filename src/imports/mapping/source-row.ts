/** A row of the file, before it is mapped. */
import type { Said } from "../../messages/said.ts";

/** The text of an XML node, with its language (`xml:lang`). */
export type LocalText = { text: string; lang?: string };

/**
 * A CSV cell has one text, but an XPath may return several. `fault`: why the row could not be read. `faulty`: why single cells
 * could not be read, by column.
 */
export type SourceRow = {
  values: ReadonlyMap<string, string | readonly LocalText[]>;
  fault?: Said;
  faulty?: ReadonlyMap<string, Said>;
};
