/** Recognises files that were sent by mistake instead of a table or XML, by their first bytes. */

const KNOWN = {
  "504b0304": "zip",
  d0cf11e0: "office",
  "89504e47": "png",
  ffd8ff: "jpeg",
  "25504446": "pdf",
  "1f8b": "gzip",
  fffe0000: "utf32",
  "0000feff": "utf32",
} as const;

/** `bytes`: an unknown format, with bytes that do not occur in text. */
export type FileFormat = (typeof KNOWN)[keyof typeof KNOWN] | "bytes";

/** `start`: the first four bytes of a file, in hexadecimal. */
export function knownFile(start: string): FileFormat | undefined {
  return Object.entries(KNOWN).find(([bytes]) => start.startsWith(bytes))?.[1];
}

/** The names of the main part in old Office files, and in new ones with a password. */
const MAIN_PARTS = {
  EncryptedPackage: "encrypted",
  Workbook: "xls",
  Book: "xls",
  WordDocument: "doc",
} as const;

export async function officeKind(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let before = "";
  for await (const chunk of bytes) {
    // names are in UTF-16
    const text = before + new TextDecoder("latin1").decode(chunk);
    for (const [name, kind] of Object.entries(MAIN_PARTS))
      if (text.includes([...name].join("\0"))) return kind;
    before = text.slice(-64);
  }
  return "office";
}
