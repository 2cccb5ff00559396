/** Grey PNG files with a header of any size and no pixels. */
import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export function pngChunk(name: string, data: Uint8Array = new Uint8Array(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** @param between chunks after the header */
export function emptyPng(
  width: number,
  height: number,
  { interlaced = false, between = [] }: { interlaced?: boolean; between?: readonly Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, Number(interlaced)], 8);
  return Buffer.concat([SIGNATURE, pngChunk("IHDR", header), ...between, pngChunk("IDAT"), pngChunk("IEND")]);
}
