/**
 * Lines that are written piece by piece, as UTF-8: a number need not become a text first, nor are hundreds of thousands of
 * small texts held until they are joined.
 */
import { Bytes } from "./bytes.ts";
import { positionOf, type TextWriter, weightOf } from "./words.ts";

/** `2147483647,` */
const LONGEST_NUMBER = 11;
const ZERO = 48;
const COMMA = 44;
const OPENING = 123;
const CLOSING = 125;
const LINE_END = 10;

const decoder = new TextDecoder();

export class Written extends Bytes {
  /** A whole number from 0 to 2³¹ - 1. */
  number(number: number): void {
    this.makeRoom(LONGEST_NUMBER);
    const { bytes, size } = this;
    let end = size + 1;
    for (let most = 10; most <= number; most *= 10) end += 1;
    let rest = number;
    for (let place = end - 1; place >= size; place--) {
      const tenth = (rest / 10) | 0;
      bytes[place] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.size = end;
  }

  /** Such numbers as PostgreSQL writes an array of them: `{1,2}`. */
  array(numbers: ArrayLike<number>): void {
    this.byte(OPENING);
    for (let at = 0; at < numbers.length; at++) {
      if (at > 0) this.byte(COMMA);
      this.number(numbers[at]!);
    }
    this.byte(CLOSING);
  }

  endLine(): void {
    this.byte(LINE_END);
  }

  /** The lines, with a line end between them. */
  lines(): string {
    return decoder.decode(this.bytes.subarray(0, Math.max(0, this.size - 1)));
  }
}

/** Texts of records as a tsvector is written, a line for each. */
export class TextLines implements TextWriter {
  private readonly written = new Written();
  private isFurther = false;

  begin(_id: string, words: number): void {
    // a single line that is empty would be none
    if (words === 0) this.written.text(" ");
  }

  word(lexeme: string): void {
    const { written } = this;
    written.text(" '");
    written.text(lexeme);
    written.text("':");
    this.isFurther = false;
  }

  place(place: number): void {
    if (this.isFurther) this.written.byte(COMMA);
    this.written.number(positionOf(place));
    this.written.text(weightOf(place));
    this.isFurther = true;
  }

  end(): void {
    this.written.endLine();
  }

  lines(): string {
    return this.written.lines();
  }
}
