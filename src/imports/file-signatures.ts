/** Files that are sent by mistake instead of a table or XML, known by their first bytes. */

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

/** `bytes`: not a known file, but its bytes do not occur in text. */
export type FileFormat = (typeof KNOWN)[keyof typeof KNOWN] | "bytes";

/** `start`: the first four bytes of a file, in hexadecimal. */
export function knownFile(start: string): FileFormat | undefined {
  return Object.entries(KNOWN).find(([bytes]) => start.startsWith(bytes))?.[1];
}
