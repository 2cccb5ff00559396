/** Files that are sent by mistake instead of a table or XML, known by their first bytes. */

/** `asTable`: what to tell somebody who sent it as a table. `asXml`: the end of a sentence that begins "… is not XML but". */
type KnownFile = { start: string; asTable: string; asXml: string };

const KNOWN: readonly KnownFile[] = [
  {
    start: "504b0304",
    asTable:
      "This is a ZIP archive, as an Excel or OpenDocument workbook is: save the sheet as CSV UTF-8 first.",
    asXml: "a ZIP archive, as workbooks and many exports are: unpack it first",
  },
  {
    start: "d0cf11e0",
    asTable: "This is an old Excel or Office file: save the sheet as CSV UTF-8 first.",
    asXml: "an old Office file",
  },
  { start: "89504e47", asTable: "This is a PNG image, not a table of text.", asXml: "a PNG image" },
  { start: "ffd8ff", asTable: "This is a JPEG image, not a table of text.", asXml: "a JPEG image" },
  { start: "25504446", asTable: "This is a PDF document, not a table of text.", asXml: "a PDF document" },
  {
    start: "1f8b",
    asTable: "This is a gzip archive: unpack it first.",
    asXml: "a gzip archive: unpack it first",
  },
  ...["fffe0000", "0000feff"].map((start) => ({
    start,
    asTable: "This is UTF-32 text: save it as UTF-8 first.",
    asXml: "UTF-32 text: save it as UTF-8 first",
  })),
];

/** `start`: the first four bytes of a file, in hexadecimal. */
export function knownFile(start: string): KnownFile | undefined {
  return KNOWN.find((known) => start.startsWith(known.start));
}
