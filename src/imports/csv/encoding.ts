/**
 * Detects the encoding of a file by its bytes, because exports seldom state it. Encodings have the names of
 * https://encoding.spec.whatwg.org/; a name that the runtime does not support is refused.
 */

import { hex } from "../../bytes.ts";
import { type Said, said } from "../../messages/said.ts";
import { type FileFormat, knownFile } from "../file-signatures.ts";

type DetectedEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * `certain`: decided; later bytes do not change it, but may show that the file cannot be imported (see `DECISIVE`). `format`:
 * this is not text. `ascii`: no character beyond ASCII. `valid`: all
 * of it is UTF-8. `damaged`: the number of places that are not. `mostlyUtf8`: of the characters beyond ASCII, more are UTF-8 than not.
 */
export type Detection = {
  encoding: DetectedEncoding;
  certain: boolean;
  bom: boolean;
  ascii: boolean;
  valid: boolean;
  damaged: number;
  mostlyUtf8: boolean;
  bytes: number;
  format?: FileFormat;
};

/** How the encoding of a file is found. */
export type EncodingRule = {
  /** Undefined until the bytes decide between UTF-8 and Windows-1252. */
  encodingBy(beginning: Uint8Array, found: Detection): string | undefined;
  /** Throws a problem if all bytes say that the file cannot be imported. Without it, not all need to be read. */
  judge?(found: Detection, encoding: string): Promise<void>;
  /** Whether only decoding shows that all bytes are valid in this encoding. */
  mustDecode?(encoding: string): boolean;
};

/** UTF-16 without a mark is decided by the first chunks that have this many bytes. The XML declaration is within them. */
export const BEGINNING = 1024;

/**
 * The header must be read before the last byte is known, so this many characters beyond ASCII decide between UTF-8 and
 * Windows-1252, or those in the `MOST_BYTES` after the first. If UTF-8 is decided, one later byte that is not UTF-8 refuses the file.
 * If Windows-1252 is decided, the file is refused only if, at its end, it is probably UTF-8 (see `probable`).
 */
const DECISIVE = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/** So many of the following bytes are faults of their rows in any list; in a very short one a tenth, in a long one a thousandth. */
const MOST_STRAY = 20;

/** Bytes that do not occur in text (`firstControl` has the same ones). Tab, line ends, vertical tab (FileMaker), form feed and the end of file of DOS do. */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x09 || (byte > 0x0d && byte < 0x1a) || byte === 0x1b || byte === 0x7f ? 1 : 0,
);

/**
 * Keeps only a few counts of the bytes that it is given. What is neither UTF-8 nor UTF-16 counts as Windows-1252. That is a guess:
 * Windows-1252 includes Latin-1, and any bytes can be read in it.
 */
export class EncodingDetector {
  readonly #utf8 = new Utf8Count();
  readonly #head: number[] = [];
  readonly #nuls: [number, number] = [0, 0];
  #bytes = 0;
  #controls = 0;
  /** UTF-16 without a mark, or not, as the beginning decides. */
  #wide: { encoding: DetectedEncoding | undefined } | undefined;
  /** The bytes up to the first character beyond ASCII. */
  #ascii = 0;
  #narrow: DetectedEncoding | undefined;

  add(chunk: Uint8Array): void {
    const utf8 = this.#utf8;
    for (let i = 0; this.#head.length < 4 && i < chunk.length; i++) this.#head.push(chunk[i]!);
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte > 0x7f || utf8.open) utf8.add(byte);
      if (isControl[byte] === 0) continue;
      if (byte === 0) this.#nuls[((this.#bytes + i) & 1) as 0 | 1]++;
      else this.#controls++;
    }
    this.#bytes += chunk.length;
    if (this.#bytes >= BEGINNING) this.#wide ??= { encoding: utf16WithoutMark(this.#nuls, this.#bytes) };
    if (utf8.isAscii()) this.#ascii = this.#bytes;
    if (utf8.right + utf8.wrong >= DECISIVE || this.#bytes - this.#ascii >= MOST_BYTES)
      this.#narrow ??= utf8.probable();
  }

  /** Judges by the bytes so far; a character may be incomplete. */
  soFar(): Detection {
    const [utf8, bytes, nuls] = [this.#utf8, this.#bytes, this.#nuls];
    const start = hex(Uint8Array.from(this.#head));
    const marked = byteOrderMark(start);
    const isEven = bytes % 2 === 0;
    const wide = this.#wide ? this.#wide.encoding : isEven ? utf16WithoutMark(nuls, bytes) : undefined;
    const narrow = this.#narrow === "utf-8" ? "utf-8" : utf8.probable();
    const encoding = marked ?? wide ?? narrow;
    const strange = encoding.startsWith("utf-16") ? Math.min(...nuls) : nuls[0] + nuls[1] + this.#controls;
    const stray = Math.max(1, bytes / 1000, Math.min(MOST_STRAY, bytes / 10));
    const format = knownFile(start) ?? (strange > stray ? "bytes" : undefined);
    const found = {
      encoding,
      certain: (marked ?? this.#wide?.encoding ?? this.#narrow) !== undefined,
      bom: marked !== undefined,
      ascii: utf8.isAscii(),
      valid: utf8.wrong === 0,
      damaged: utf8.wrong,
      mostlyUtf8: utf8.isMajority(),
      bytes,
    };
    return format === undefined ? found : { ...found, format };
  }

  /** To be called after the last byte. */
  end(): Detection {
    this.#utf8.end();
    return { ...this.soFar(), certain: true };
  }
}

/** Counts the characters beyond ASCII that are valid UTF-8, and the places that are not. */
class Utf8Count {
  right = 0;
  wrong = 0;
  /** How many bytes of the character are still to come. */
  #lacks = 0;
  /** The range of the next byte: smaller for the second byte, so that overlong forms and surrogates are invalid. */
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

  /** An incomplete character is invalid. */
  end(): void {
    if (this.#lacks > 0) this.wrong += 1;
    this.#lacks = 0;
    [this.#from, this.#to] = [0x80, 0xbf];
  }

  isAscii(): boolean {
    return this.right + this.wrong === 0 && !this.open;
  }

  /**
   * The file is probably UTF-8 if nothing is invalid, or if there is more than one valid character for ten invalid places. Text
   * in another encoding is valid only by chance (`ß“` in Windows-1252), and reading UTF-8 as Windows-1252 would garble all of it.
   */
  probable(): DetectedEncoding {
    return this.wrong === 0 || this.right * 10 > this.wrong ? "utf-8" : "windows-1252";
  }

  /** Stricter, because this overrules an encoding in the options: in some one-byte encodings (Thai, Cyrillic) a fifth is valid by chance. */
  isMajority(): boolean {
    return this.right > this.wrong;
  }
}

function byteOrderMark(start: string): DetectedEncoding | undefined {
  if (start.startsWith("efbbbf")) return "utf-8";
  if (start.startsWith("fffe")) return "utf-16le";
  if (start.startsWith("feff")) return "utf-16be";
  return undefined;
}

/** In UTF-16, one of the two bytes of each comma, digit and line end is NUL, always the same one. */
function utf16WithoutMark(
  [even, odd]: readonly [number, number],
  bytes: number,
): DetectedEncoding | undefined {
  const most = Math.max(even, odd);
  // two lines of two cells have at least four; fewer are stray
  if (most < Math.max(4, bytes * 0.025)) return undefined;
  if (even * 20 <= odd) return "utf-16le";
  if (odd * 20 <= even) return "utf-16be";
  return undefined;
}

/** Usual names that are not labels of the standard; only their letters and digits. */
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

/** The standard name of an encoding (`latin1` is windows-1252); null if it is unknown here. */
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
      // not a label; the next spelling may be one
    }
  }
  return null;
}

/** A byte order mark outranks the encoding in the options, as in the standard. */
export function chooseEncoding(found: Pick<Detection, "encoding" | "bom">, named: string | null): string {
  return found.bom || named === null ? found.encoding : named;
}

/** The notice about a CSV file whose encoding was guessed. */
export function guessNotice(encoding: string, named: string | undefined): Said | null {
  if (encoding !== "windows-1252" || named !== undefined) return null;
  return said("job.import.guessed_encoding");
}
