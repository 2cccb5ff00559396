/**
 * Detects the encoding of a file by its bytes, because exports seldom state it. Encodings are named as in
 * https://encoding.spec.whatwg.org/. A name that the runtime does not support is refused.
 */

import { hex } from "../../bytes.ts";
import { type Said, said } from "../../messages/said.ts";
import { type FileFormat, knownFile } from "../file-signatures.ts";

type DetectedEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/**
 * `certain`: later bytes do not change the encoding, but may show that the file cannot be imported (see `DECISIVE`). `ascii`: no
 * character beyond ASCII so far. `valid`: all of it is valid UTF-8. `damaged`: the number of places that are not. `mostlyUtf8`:
 * most characters beyond ASCII are valid UTF-8. `format`: the file is not text, but this.
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

export type EncodingRule = {
  /** Undefined until the bytes decide between UTF-8 and Windows-1252. */
  encodingBy(beginning: Uint8Array, found: Detection): string | undefined;
  /** Called after the last byte. Throws a problem if the file cannot be imported. Without it, a check need not read all bytes. */
  judge?(found: Detection, encoding: string): Promise<void>;
  /** Whether only decoding shows that all bytes are valid in this encoding. */
  mustDecode?(encoding: string): boolean;
};

/** Bytes after which it is decided whether the file is UTF-16 without a mark. The XML declaration is within them. */
export const BEGINNING = 1024;

/**
 * The header is read before the last byte is known. So this many characters beyond ASCII decide between UTF-8 and Windows-1252,
 * or fewer if `MOST_BYTES` follow the first one. If the decision was UTF-8, the file is refused for one later byte that is
 * invalid. If it was Windows-1252, the file is refused only if the whole of it is probably UTF-8 (see `probable`).
 */
const DECISIVE = 100;
const MOST_BYTES = 4 * 1024 * 1024;

/** So many control bytes are faults of their rows, not of the file: less in a short file (a tenth), more in a long one (a thousandth). */
const MOST_STRAY = 20;

/** Bytes that do not occur in text, as in `firstControl`. Tab, line ends, vertical tab (FileMaker), form feed and the end-of-file mark of DOS do. */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x09 || (byte > 0x0d && byte < 0x1a) || byte === 0x1b || byte === 0x7f ? 1 : 0,
);

/**
 * Keeps only a few counts of the bytes. What is neither UTF-8 nor UTF-16 counts as Windows-1252. This is a guess: any bytes are
 * valid in Windows-1252, which includes Latin-1.
 */
export class EncodingDetector {
  readonly #utf8 = new Utf8Count();
  readonly #head: number[] = [];
  readonly #nuls: [number, number] = [0, 0];
  #bytes = 0;
  #controls = 0;
  /** Whether the file is UTF-16 without a mark, once the beginning has decided. */
  #wide: { encoding: DetectedEncoding | undefined } | undefined;
  /** The number of bytes before the first character beyond ASCII. */
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

  /** Judges by the bytes so far. The last character may be incomplete. */
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

  /** Call it after the last byte. */
  end(): Detection {
    this.#utf8.end();
    return { ...this.soFar(), certain: true };
  }
}

/** Counts the characters beyond ASCII that are valid UTF-8 (`right`), and the places that are not (`wrong`). */
class Utf8Count {
  right = 0;
  wrong = 0;
  /** How many bytes of the character are still to come. */
  #lacks = 0;
  /** The range of the next byte. It is smaller for some second bytes, so that overlong forms and surrogates are invalid. */
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

  /** Counts an incomplete character as invalid. */
  end(): void {
    if (this.#lacks > 0) this.wrong += 1;
    this.#lacks = 0;
    [this.#from, this.#to] = [0x80, 0xbf];
  }

  isAscii(): boolean {
    return this.right + this.wrong === 0 && !this.open;
  }

  /**
   * UTF-8 if nothing is invalid, or if there is more than one valid character for every ten invalid places. Text in another
   * encoding is seldom valid by chance (`ß“` in Windows-1252), and reading UTF-8 as Windows-1252 would garble all of it.
   */
  probable(): DetectedEncoding {
    return this.wrong === 0 || this.right * 10 > this.wrong ? "utf-8" : "windows-1252";
  }

  /** Stricter, because it overrules the options. In some one-byte encodings (Thai, Cyrillic), a fifth is valid by chance. */
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
  // two lines of two cells have at least four
  if (most < Math.max(4, bytes * 0.025)) return undefined;
  if (even * 20 <= odd) return "utf-16le";
  if (odd * 20 <= even) return "utf-16be";
  return undefined;
}

/** Usual names that are not labels of the standard, reduced to letters and digits. */
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
      // try the next spelling
    }
  }
  return null;
}

/** A byte order mark takes precedence over the encoding in the options, as in the standard. */
export function chooseEncoding(found: Pick<Detection, "encoding" | "bom">, named: string | null): string {
  return found.bom || named === null ? found.encoding : named;
}

export function guessNotice(encoding: string, named: string | undefined): Said | null {
  if (encoding !== "windows-1252" || named !== undefined) return null;
  return said("job.import.guessed_encoding");
}
