/** The orientation of a picture, the only part of Exif that is kept (CIPA DC-008, tag 274). */
import { lettersOf, viewOf } from "../byte-source.ts";

const ORIENTATION = 0x0112;
/** The bytes of Exif data in which the orientation is searched. */
export const EXIF_HEAD = 4096;

/** Stands before Exif data in JPEG, and sometimes elsewhere. */
export const EXIF = "Exif\0\0";

/** 1 to 8; 1 if missing. @param exif begins with the byte order, or with `EXIF` before it */
export function orientationOf(exif: Uint8Array): number {
  const tiff = lettersOf(exif.subarray(0, EXIF.length)) === EXIF ? exif.subarray(EXIF.length) : exif;
  const order = lettersOf(tiff.subarray(0, 2));
  if (tiff.length < 14 || (order !== "II" && order !== "MM")) return 1;
  const view = viewOf(tiff);
  const little = order === "II";
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const count = view.getUint16(directory, little);
  for (let at = directory + 2; at + 12 <= tiff.length && at < directory + 2 + count * 12; at += 12) {
    if (view.getUint16(at, little) !== ORIENTATION) continue;
    const value = view.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Exif data with nothing but the orientation. */
export function onlyOrientation(orientation: number): Uint8Array {
  const head = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  return Uint8Array.from([...head, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
}

export const base64 = (bytes: Uint8Array): string => btoa(lettersOf(bytes));
