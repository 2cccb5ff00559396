/**
 * Rows as `COPY … (format binary)` takes them (https://www.postgresql.org/docs/current/sql-copy.html), which the database
 * need not read sign by sign: so a text of words goes in three times as quickly as when it is written out.
 */
import { Bytes } from "./bytes.ts";
import type { TextWriter } from "./words.ts";

const SIGNATURE = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00];
/** The number of the type `int4` (pg_type). */
const INT4 = 23;
const UUID_BYTES = 16;
const DASH = 45;

const float = new DataView(new ArrayBuffer(8));

export class BinaryRows extends Bytes {
  /** Where the length of the column stands that is just written. */
  private column = 0;

  constructor() {
    super();
    for (const byte of SIGNATURE) this.byte(byte);
    this.int32(0);
    this.int32(0);
  }

  row(columns: number): void {
    this.int16(columns);
  }

  uuid(id: string): void {
    this.int32(UUID_BYTES);
    this.makeRoom(UUID_BYTES);
    for (let at = 0; at < id.length; at += 2) {
      if (id.charCodeAt(at) === DASH) at += 1;
      this.bytes[this.size++] = (hex(id.charCodeAt(at)) << 4) | hex(id.charCodeAt(at + 1));
    }
  }

  /** Of the type "char". */
  letter(letter: string): void {
    this.int32(1);
    this.byte(letter.charCodeAt(0));
  }

  smallint(number: number): void {
    this.int32(2);
    this.int16(number);
  }

  double(number: number): void {
    float.setFloat64(0, number);
    this.int32(8);
    this.int32(float.getInt32(0));
    this.int32(float.getInt32(4));
  }

  integers(numbers: ArrayLike<number>): void {
    const { length } = numbers;
    this.begin();
    this.int32(length === 0 ? 0 : 1); // dimensions
    this.int32(0); // none is null
    this.int32(INT4);
    if (length > 0) {
      this.int32(length);
      this.int32(1); // where the numbering begins
    }
    for (let at = 0; at < length; at++) {
      this.int32(4);
      this.int32(numbers[at]!);
    }
    this.end();
  }

  /** A column whose length is only known at its end. */
  begin(): void {
    this.column = this.size;
    this.int32(0);
  }

  end(): void {
    const { size } = this;
    this.size = this.column;
    this.int32(size - this.column - 4);
    this.size = size;
  }

  int16(number: number): void {
    this.makeRoom(2);
    const { bytes, size } = this;
    bytes[size] = number >> 8;
    bytes[size + 1] = number;
    this.size = size + 2;
  }

  int32(number: number): void {
    this.makeRoom(4);
    const { bytes, size } = this;
    bytes[size] = number >> 24;
    bytes[size + 1] = number >> 16;
    bytes[size + 2] = number >> 8;
    bytes[size + 3] = number;
    this.size = size + 4;
  }

  /** Everything; to be called once. */
  all(): Uint8Array {
    this.int16(-1);
    return this.bytes.subarray(0, this.size);
  }
}

const hex = (digit: number): number => (digit <= 57 ? digit - 48 : (digit | 0x20) - 87);

/** Rows of a record's id and its text. */
export class BinaryTexts implements TextWriter {
  private readonly data = new BinaryRows();

  begin(id: string, words: number): void {
    const { data } = this;
    data.row(2);
    data.uuid(id);
    data.begin();
    data.int32(words);
  }

  word(lexeme: string, places: number): void {
    const { data } = this;
    data.text(lexeme);
    data.byte(0);
    data.int16(places);
  }

  place(place: number): void {
    this.data.int16(place);
  }

  end(): void {
    this.data.end();
  }

  all(): Uint8Array {
    return this.data.all();
  }
}
