/** A row as its file has it, whatever the form. */

/** What one node of an XML file says, in the language that its `xml:lang` names. */
export type LocalText = { text: string; lang?: string };

/** A cell of a CSV has one text, an XPath may give several. A row that could not be read has a fault. */
export type SourceRow = { values: ReadonlyMap<string, string | readonly LocalText[]>; fault?: string };
