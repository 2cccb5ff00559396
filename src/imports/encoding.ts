/**
 * Detects the encoding of a file by reading all of it: an export seldom states it.
 * https://encoding.spec.whatwg.org/ names the encodings; a runtime that lacks one refuses its name.
 */
import { hex } from "../bytes.ts";
export type DetectedEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * `binary`: this is not text at all; `hint` then says what it is and what to do, as a sentence for the caller. `valid`: all
 * of it is UTF-8. UTF-8 that is not valid is damaged, in `damaged` places. `mostlyUtf8`: more of what is beyond ASCII is
 * UTF-8 than not.
 */
export type Detection = {
  encoding: DetectedEncoding;
  bom: boolean;
  valid: boolean;
  damaged: number;
  mostlyUtf8: boolean;
  bytes: number;
  binary: boolean;
  hint?: string;
};

const SIGNATURES: readonly (readonly [string, string])[] = [
  [
    "504b0304",
    "This is a ZIP archive, as an Excel or OpenDocument workbook is: save the sheet as CSV UTF-8 first.",
  ],
  ["d0cf11e0", "This is an old Excel or Office file: save the sheet as CSV UTF-8 first."],
  ["89504e47", "This is a PNG image, not a table of text."],
  ["ffd8ff", "This is a JPEG image, not a table of text."],
  ["25504446", "This is a PDF document, not a table of text."],
  ["1f8b", "This is a gzip archive: unpack it first."],
  ["fffe0000", "This is UTF-32 text: save it as UTF-8 first."],
  ["0000feff", "This is UTF-32 text: save it as UTF-8 first."],
];

const NOT_TEXT = "This holds bytes that do not occur in text: it is not a CSV file, or it is damaged.";

/** The bytes that written text does not hold: not tab, line ends, vertical tab (FileMaker), form feed, DOS end of file. */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x09 || (byte > 0x0d && byte < 0x1a) || byte === 0x1b || byte === 0x7f ? 1 : 0,
);

/**
 * Reads the whole source once, keeping a few numbers only. Windows-1252 is what remains when the bytes are not UTF-8:
 * it covers Latin-1 and decodes anything, so it is a guess and not a proof.
 */
export async function detectEncoding(stream: ReadableStream<Uint8Array>): Promise<Detection> {
  const utf8 = new Utf8Count();
  const head: number[] = [];
  const nuls: [number, number] = [0, 0];
  let bytes = 0;
  let controls = 0;
  for await (const chunk of stream) {
    for (let i = 0; head.length < 4 && i < chunk.length; i++) head.push(chunk[i]!);
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte > 0x7f || utf8.open) utf8.add(byte);
      if (isControl[byte] === 0) continue;
      if (byte === 0) nuls[((bytes + i) & 1) as 0 | 1]++;
      else controls++;
    }
    bytes += chunk.length;
  }
  utf8.end();

  const start = hex(Uint8Array.from(head));
  const known = SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
  const marked = byteOrderMark(start);
  const encoding = marked ?? utf16WithoutMark(nuls, bytes) ?? (utf8.isMeant() ? "utf-8" : "windows-1252");
  const strange = encoding.startsWith("utf-16") ? Math.min(...nuls) : nuls[0] + nuls[1] + controls;
  const hint = known ?? (strange * 1000 > bytes ? NOT_TEXT : undefined);
  const valid = utf8.wrong === 0;
  const found = {
    encoding,
    bom: marked !== undefined,
    valid,
    damaged: utf8.wrong,
    mostlyUtf8: utf8.isMost(),
    bytes,
    binary: hint !== undefined,
  };
  return hint === undefined ? found : { ...found, hint };
}

/** Counts the characters beyond ASCII that are right as UTF-8, and the places that are not. */
class Utf8Count {
  right = 0;
  wrong = 0;
  /** Bytes that the character still lacks. */
  #lacks = 0;
  /** What the next of them may be: less than any for the first, so that nothing is written longer than need be. */
  #from = 0x80;
  #to = 0xbf;

  get open(): boolean {
    return this.#lacks > 0;
  }

  add(byte: number): void {
    if (this.#lacks > 0) {
      if (byte >= this.#from && byte <= this.#to) {
        [this.#from, this.#to] = [0x80, 0xbf];
        this.#lacks -= 1;
        if (this.#lacks === 0) this.right += 1;
        return;
      }
      this.end();
    }
    if (byte < 0x80) return;
    if (byte < 0xc2 || byte > 0xf4) {
      this.wrong += 1;
      return;
    }
    this.#lacks = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    this.#from = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#to = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  /** A character that is not whole is wrong. */
  end(): void {
    if (this.#lacks > 0) this.wrong += 1;
    this.#lacks = 0;
    [this.#from, this.#to] = [0x80, 0xbf];
  }

  /**
   * Text in another encoding is right by chance only: "Spaß“" is in Windows-1252, one such pair among many that are
   * wrong. Nobody guesses where more than a tenth is right: a wrong guess would garble all of that.
   */
  isMeant(): boolean {
    return this.wrong === 0 || this.right * 10 > this.wrong;
  }

  /** Stricter: this overrules what somebody named. Of Thai, or Cyrillic capitals, in one byte a fifth is right by chance. */
  isMost(): boolean {
    return this.right > this.wrong;
  }
}

function byteOrderMark(start: string): DetectedEncoding | undefined {
  if (start.startsWith("efbbbf")) return "utf-8";
  if (start.startsWith("fffe")) return "utf-16le";
  if (start.startsWith("feff")) return "utf-16be";
  return undefined;
}

/** Commas, digits and line ends are half NUL in UTF-16, always the same half. */
function utf16WithoutMark(
  [even, odd]: readonly [number, number],
  bytes: number,
): DetectedEncoding | undefined {
  const most = Math.max(even, odd);
  if (bytes % 2 !== 0 || most === 0 || most < bytes * 0.025) return undefined;
  if (even * 20 <= odd) return "utf-16le";
  if (odd * 20 <= even) return "utf-16be";
  return undefined;
}

/** What people write that is not a label of the standard, in letters and digits only. */
const ALIASES: Readonly<Record<string, string>> = {
  ansi: "windows-1252",
  macroman: "macintosh",
  ucs2: "utf-16le",
  utf16: "utf-16le",
  utf16be: "utf-16be",
  utf16le: "utf-16le",
  utf8bom: "utf-8",
  utf8sig: "utf-8",
};

/** The standard's name for what a person wrote (`latin1` is windows-1252), null when no such encoding can be read here. */
export function parseEncodingName(name: string): string | null {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  const compact = plain.replace(/[^a-z0-9]/g, "");
  const numbered = compact.replace(/^win(dows)?(?=\d)/, "windows-");
  for (const label of [ALIASES[compact], name.trim(), plain, compact, numbered]) {
    if (label === undefined) continue;
    try {
      return new TextDecoder(label).encoding;
    } catch {
      // not a label: the next spelling
    }
  }
  return null;
}

/** A byte order mark outranks the encoding that the caller named, as in the standard. */
export function chooseEncoding(found: Pick<Detection, "encoding" | "bom">, named: string | null): string {
  return found.bom || named === null ? found.encoding : named;
}

/** The notice about a CSV file whose encoding was guessed. */
export function guessNotice(encoding: string, named: string | undefined): string | null {
  if (encoding !== "windows-1252" || named !== undefined) return null;
  return (
    "The file is not UTF-8; it is read as windows-1252, which is a guess. Look at its accents: where all are wrong, " +
    "name the encoding (macintosh, say)"
  );
}
