/** Uncompressed TIFF files whose directory comes first, as scanners write them: sharp writes it last, and only some kinds of values. */

/** `format`: 1 unsigned, 2 signed, 3 floating point (TIFF 6.0 §19). `data`: the values of all pixels, little-endian. */
export type Values = { bits: number; format: 1 | 2 | 3; channels: 1 | 3; data: Uint8Array };

export function scanned(width: number, height: number, { bits, format, channels, data }: Values): Buffer {
  const LONG = 4;
  const SHORT = 3;
  const count = 10;
  const start = 8 + 2 + count * 12 + 4;
  const entries = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, bits],
    [259, SHORT, 1],
    [262, SHORT, channels === 1 ? 1 : 2],
    [273, LONG, start],
    [277, SHORT, channels],
    [278, LONG, height],
    [279, LONG, data.length],
    [339, SHORT, format],
  ] as const;
  const head = Buffer.alloc(start);
  head.write("II*\0", "latin1");
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(count, 8);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 10 + index * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(1, at + 4);
    head.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, data]);
}
