/**
 * Lines that are written piece by piece, as UTF-8: a number need not become a text first, nor are hundreds of thousands of
 * small texts held until they are joined.
 */

/** Bytes that there is room for at first. */
const LEAST = 1 << 12;

/** `2147483647,` */
const LONGEST_NUMBER = 11;
const ZERO = 48;
const COMMA = 44;
const OPENING = 123;
const CLOSING = 125;
const LINE_END = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Written {
  private bytes = new Uint8Array(LEAST);
  private size = 0;

  text(text: string): void {
    // a letter, or half of one that is written as two, takes three bytes at most
    this.makeRoom(text.length * 3);
    const { bytes, size } = this;
    for (let at = 0; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      if (letter > 127) {
        this.size = size + encoder.encodeInto(text, bytes.subarray(size)).written;
        return;
      }
      bytes[size + at] = letter;
    }
    this.size = size + text.length;
  }

  /** Whole numbers from 0 to 2³¹ - 1 as PostgreSQL writes an array of them: `{1,2}`. */
  array(numbers: ArrayLike<number>): void {
    this.makeRoom(2 + numbers.length * LONGEST_NUMBER);
    const { bytes } = this;
    let { size } = this;
    bytes[size++] = OPENING;
    for (let at = 0; at < numbers.length; at++) {
      if (at > 0) bytes[size++] = COMMA;
      const number = numbers[at]!;
      let end = size + 1;
      for (let most = 10; most <= number; most *= 10) end += 1;
      let rest = number;
      for (let place = end - 1; place >= size; place--) {
        const tenth = (rest / 10) | 0;
        bytes[place] = ZERO + rest - tenth * 10;
        rest = tenth;
      }
      size = end;
    }
    bytes[size++] = CLOSING;
    this.size = size;
  }

  endLine(): void {
    this.makeRoom(1);
    this.bytes[this.size++] = LINE_END;
  }

  /** The lines, with a line end between them. */
  lines(): string {
    return decoder.decode(this.bytes.subarray(0, Math.max(0, this.size - 1)));
  }

  private makeRoom(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const wider = new Uint8Array((this.size + more) * 2);
    wider.set(this.bytes.subarray(0, this.size));
    this.bytes = wider;
  }
}
