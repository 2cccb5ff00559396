/** CRC-32, by which a ZIP archive tells whether a part is damaged. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

export class Crc32 {
  #rest = -1;

  add(bytes: Uint8Array): void {
    let rest = this.#rest;
    for (let i = 0; i < bytes.length; i++) rest = TABLE[(rest ^ bytes[i]!) & 0xff]! ^ (rest >>> 8);
    this.#rest = rest;
  }

  get value(): number {
    return ~this.#rest >>> 0;
  }
}
