/** Detects the type of a file from its first bytes, since names and Content-Types may be wrong. */
import { type Said, said } from "../../messages/said.ts";
import type { Category } from "./medium.ts";

export type FileType = {
  /** Its name in messages. */
  name: string;
  mime: string;
  category: Category;
  /** Valid endings without the dot; the first is the default. */
  endings: readonly [string, ...string[]];
};

/** Bytes needed for the detection. */
export const TELLING_BYTES = 4096;

type Test = (head: Uint8Array) => boolean;

function type(
  test: Test,
  category: Category,
  name: string,
  mime: string,
  ...endings: [string, ...string[]]
): FileType & { test: Test } {
  return { test, category, name, mime, endings };
}

/** Latin-1, `?` for any byte. */
const at =
  (offset: number, ...signs: string[]): Test =>
  (head) =>
    signs.some((sign) =>
      [...sign].every((letter, index) => letter === "?" || head[offset + index] === letter.charCodeAt(0)),
    );

/** The brands of an ISO base media file, the main one first (ISO/IEC 14496-12 §4.3). */
const brand =
  (...brands: string[]): Test =>
  (head) =>
    at(4, "ftyp")(head) && brands.some((name) => at(8, name)(head));

/** The first packet of an Ogg file tells its content (RFC 3533). */
const ogg =
  (...codecs: string[]): Test =>
  (head) =>
    at(0, "OggS")(head) && at(28, ...codecs)(head);

/** EBML names its document type among its first bytes (RFC 8794 §11.2.8). */
const ebml =
  (docType: string): Test =>
  (head) =>
    at(0, "\x1a\x45\xdf\xa3")(head) && textOf(head.subarray(0, 64)).includes(docType);

/** An MPEG audio frame without tags before it: layer III, with a valid bit rate and sampling rate. */
const mp3Frame: Test = (head) =>
  head[0] === 0xff &&
  (head[1]! & 0xe6) === 0xe2 &&
  (head[2]! & 0xf0) !== 0xf0 &&
  (head[2]! & 0xf0) !== 0 &&
  (head[2]! & 0x0c) !== 0x0c;

/** HEIC pictures of phones, which this service cannot read (ISO/IEC 23008-12 Annex B). */
const isHeic = brand("heic", "heix", "heim", "heis", "hevc", "hevx");

/** The first match counts. */
const TYPES = [
  type(at(0, "\xff\xd8\xff"), "image", "JPEG", "image/jpeg", "jpg", "jpeg", "jpe", "jfif"),
  type(at(0, "\x89PNG\r\n\x1a\n"), "image", "PNG", "image/png", "png", "apng"),
  type(at(0, "GIF87a", "GIF89a"), "image", "GIF", "image/gif", "gif"),
  type(
    at(0, "II*\0", "MM\0*", "II+\0", "MM\0+"),
    ...(["image", "TIFF", "image/tiff", "tif", "tiff"] as const),
  ),
  type((head) => at(0, "RIFF")(head) && at(8, "WEBP")(head), "image", "WebP", "image/webp", "webp"),
  type(brand("avif", "avis", "mif1", "msf1"), ...(["image", "AVIF", "image/avif", "avif"] as const)),
  type(at(0, "%PDF-"), "pdf", "PDF", "application/pdf", "pdf"),
  type((head) => at(0, "RIFF")(head) && at(8, "WAVE")(head), "audio", "WAV", "audio/wav", "wav", "wave"),
  type(
    (head) => at(0, "FORM")(head) && at(8, "AIFF", "AIFC")(head),
    ...(["audio", "AIFF", "audio/aiff", "aiff", "aif", "aifc"] as const),
  ),
  type(at(0, "fLaC"), "audio", "FLAC", "audio/flac", "flac"),
  type(ogg("\x01vorbis", "OpusHead", "Speex", "\x7fFLAC"), "audio", "Ogg", "audio/ogg", "ogg", "oga", "opus"),
  type(ogg("\x80theora"), "video", "Ogg", "video/ogg", "ogv", "ogg"),
  type(brand("M4A ", "M4B "), "audio", "M4A", "audio/mp4", "m4a", "m4b", "mp4"),
  type(at(0, "ID3"), "audio", "MP3", "audio/mpeg", "mp3"),
  type(mp3Frame, "audio", "MP3", "audio/mpeg", "mp3"),
  type(brand("qt  "), "video", "QuickTime", "video/quicktime", "mov", "qt"),
  type(at(4, "ftyp"), "video", "MPEG-4", "video/mp4", "mp4", "m4v"),
  type(at(4, "moov", "mdat", "wide"), "video", "QuickTime", "video/quicktime", "mov", "qt"),
  type(ebml("webm"), "video", "WebM", "video/webm", "webm"),
  type(ebml("matroska"), "video", "Matroska", "video/x-matroska", "mkv", "mka"),
  type((head) => at(0, "RIFF")(head) && at(8, "AVI ")(head), "video", "AVI", "video/x-msvideo", "avi"),
  type(at(0, "\0\0\x01\xba", "\0\0\x01\xb3"), "video", "MPEG", "video/mpeg", "mpg", "mpeg"),
  type(
    (head) => /^(\xef\xbb\xbf)?WEBVTT(?![^ \t\r\n])/.test(textOf(head.subarray(0, 16))),
    ...(["captions", "WebVTT", "text/vtt", "vtt"] as const),
  ),
  type(at(0, "glTF\x02\0\0\0"), "3d", "GLB", "model/gltf-binary", "glb"),
];

/** Null for an unsupported type. `head`: the first `TELLING_BYTES` of the file, or all of it. */
export function typeOf(head: Uint8Array): FileType | null {
  return isHeic(head) ? null : (TYPES.find(({ test }) => test(head)) ?? null);
}

/** The message for a file of an unsupported type. */
export function unsupportedType(head: Uint8Array): Said {
  if (head.length === 0) return said("fault.media.empty");
  const names = [...new Set(TYPES.map(({ name }) => name))];
  return said(`fault.file.${kindOf(head)}`, { types: names.join(", ") });
}

/** Common unsupported types have an explanation. */
function kindOf(head: Uint8Array): "svg" | "html" | "heic" | "jpeg_2000" | "type" {
  const text = textOf(head.subarray(0, 1024)).toLowerCase();
  if (/<svg[\s>]/.test(text)) return "svg";
  if (/<(!doctype html|html|head|body|script)[\s>]/.test(text)) return "html";
  if (isHeic(head)) return "heic";
  // https://www.itu.int/rec/T-REC-T.800 §I.5.1, and a code stream without a file around it
  if (at(4, "jP  \r\n")(head) || at(0, "\xff\x4f\xff\x51")(head)) return "jpeg_2000";
  return "type";
}

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** The type of a stored file. */
export function typeNamed(mime: string): FileType {
  return TYPES.find((type) => type.mime === mime)!;
}
