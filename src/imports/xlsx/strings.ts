/** The texts of a workbook, to which its cells refer by number. They are stored as UTF-8, in half the memory of strings. */
import { readXml } from "./xml.ts";
import { type Archive, damaged } from "./zip.ts";

/** Even empty strings take memory. */
const MOST_STRINGS = 5_000_000;

export class SharedStrings {
  #bytes = new Uint8Array(65_536);
  #ends = new Uint32Array(1_024);
  #count = 0;
  readonly #name: string;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /** `name`: the name of the file. */
  constructor(name: string) {
    this.#name = name;
  }

  add(text: string): void {
    if (this.#count === MOST_STRINGS) throw damaged(this.#name);
    const from = this.#count === 0 ? 0 : this.#ends[this.#count - 1]!;
    if (from + text.length * 3 > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(this.#bytes.length * 1.5, from + text.length * 3));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(this.#count * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    const { written } = this.#encoder.encodeInto(text, this.#bytes.subarray(from));
    this.#ends[this.#count++] = from + written;
  }

  at(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    return this.#decoder.decode(
      this.#bytes.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]),
    );
  }
}

/** Joins the runs (`t`) of a text in `si` or `is`, without phonetic ones (`rPh`). */
export class RichText {
  #text = "";
  #isText = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === "rPh") this.#phonetic += 1;
    this.#isText = name === "t" && this.#phonetic === 0;
  }

  close(name: string): void {
    if (name === "rPh") this.#phonetic -= 1;
    this.#isText = false;
  }

  add(text: string): void {
    if (this.#isText) this.#text += text;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

/** Characters that XML cannot contain are written `_x000B_`, and the text `_x000B_` as `_x005F_x000B_` (ECMA-376 part 1, §22.9.2.19). */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

export async function readStrings(
  archive: Archive,
  part: string | undefined,
  name: string,
): Promise<SharedStrings> {
  const strings = new SharedStrings(name);
  if (part === undefined) return strings;
  const rich = new RichText();
  const events = readXml(archive.read(part), name, {
    open: (tag) => rich.open(tag),
    close(tag) {
      rich.close(tag);
      if (tag === "si") strings.add(rich.take());
    },
    text: (text) => rich.add(text),
  });
  for await (const _ of events);
  return strings;
}
