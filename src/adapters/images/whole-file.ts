/**
 * Whether a picture is cut off, judged by its structure. libvips reports this for WebP, and decoding reports it for TIFF, GIF
 * and AVIF. JPEG: ITU-T T.81 §B.1. PNG: https://www.w3.org/TR/png-3/#5IEND
 */
import { type FileHandle, open } from "node:fs/promises";
import type { ImageFacts } from "../../services.ts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const PNG_END = Buffer.from("IEND\xae\x42\x60\x82", "latin1");
const PIECE = 1024 * 1024;

/** Other data may follow the end of a picture: a film, or another picture. */
export async function isCutOff(path: string, format: ImageFacts["format"]): Promise<boolean> {
  const file = await open(path);
  try {
    if (format === "jpeg") return !(await hasAfter(file, await scanStart(file), END_OF_IMAGE));
    if (format === "png") return !(await hasAfter(file, 0, PNG_END));
    return false;
  } finally {
    await file.close();
  }
}

/** The position after the header segments, which may contain a thumbnail with its own end marker. */
async function scanStart(file: FileHandle): Promise<number> {
  for (let at = 2; ; ) {
    const segment = await read(file, at, 4);
    // a marker may have any number of fill bytes before it
    if (segment[0] === 0xff && segment[1] === 0xff) at += 1;
    else if (segment[0] !== 0xff || segment[1] === START_OF_SCAN) return at;
    else at += 2 + segment.readUInt16BE(2);
  }
}

async function hasAfter(file: FileHandle, start: number, mark: Buffer): Promise<boolean> {
  const piece = Buffer.alloc(PIECE);
  for (let at = start; ; at += PIECE - mark.length) {
    const { bytesRead } = await file.read(piece, 0, PIECE, at);
    if (piece.subarray(0, bytesRead).includes(mark)) return true;
    if (bytesRead < PIECE) return false;
  }
}

/** Bytes after the end of the file are returned as zeros. */
async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, at);
  return bytes;
}
