/** Bytes that are written one after the other, of which there may be any number. */

/** Bytes that there is room for at first. */
const LEAST = 1 << 12;

const encoder = new TextEncoder();

export class Bytes {
  protected bytes = new Uint8Array(LEAST);
  protected size = 0;

  byte(byte: number): void {
    this.makeRoom(1);
    this.bytes[this.size++] = byte;
  }

  /** As UTF-8. */
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

  protected makeRoom(more: number): void {
    if (this.size + more <= this.bytes.length) return;
    const wider = new Uint8Array((this.size + more) * 2);
    wider.set(this.bytes.subarray(0, this.size));
    this.bytes = wider;
  }
}
