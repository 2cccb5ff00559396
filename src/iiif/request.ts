/** Parses the address of an image request (https://iiif.io/api/image/3.0/#4-image-requests). */
import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";

export const FORMATS = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  tif: "image/tiff",
} as const;
type Format = keyof typeof FORMATS;

/** Formats of the specification that this service does not make. Choosing the 256 colours of a GIF takes 20 s for a photograph. */
const NOT_MADE = ["jp2", "pdf", "gif"];

const QUALITIES = ["default", "color", "gray", "bitonal"] as const;
type Quality = (typeof QUALITIES)[number];

export type RegionRequest =
  | "full"
  | "square"
  | { unit: "px" | "pct"; x: number; y: number; width: number; height: number };

/** `confined`: the largest size that fits into width and height. */
export type SizeRequest = { upscale: boolean } & (
  | { form: "max" }
  | { form: "pct"; percent: number }
  | { form: "width"; width: number }
  | { form: "height"; height: number }
  | { form: "exact" | "confined"; width: number; height: number }
);

export type ImageRequest = {
  region: RegionRequest;
  size: SizeRequest;
  mirror: boolean;
  /** Degrees clockwise, from 0 to less than 360; after mirroring. */
  rotation: number;
  quality: Quality;
  format: Format;
};

export type ImageAddress = { region: string; size: string; rotation: string; quality: string };

/** Throws a 400, or a 501 for unsupported formats. `quality`: with the format, `default.jpg`. */
export function readRequest({ region, size, rotation, quality }: ImageAddress): ImageRequest {
  return {
    region: readRegion(region),
    size: readSize(size),
    ...readRotation(rotation),
    ...readQuality(quality),
  };
}

/** Digits and a point, no sign and no exponent (§4.7). */
const DECIMAL = /^(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})$/;
const WHOLE = /^\d{1,12}$/;

function readRegion(text: string): RegionRequest {
  if (text === "full" || text === "square") return text;
  const isPercent = text.startsWith("pct:");
  const numbers = (isPercent ? text.slice(4) : text).split(",");
  if (numbers.length !== 4 || !numbers.every((each) => (isPercent ? DECIMAL : WHOLE).test(each))) {
    throw wrong("region", text);
  }
  const [x, y, width, height] = numbers.map(Number) as [number, number, number, number];
  if (width === 0 || height === 0) throw new Problem("malformed", said("problem.image.no_region_area"));
  return { unit: isPercent ? "pct" : "px", x, y, width, height };
}

function readSize(text: string): SizeRequest {
  const upscale = text.startsWith("^");
  const rest = upscale ? text.slice(1) : text;
  const read = readUnmarkedSize(rest);
  if (read === null) throw wrong("size", text);
  const { form, ...numbers } = read;
  if (Object.values(numbers).includes(0)) throw new Problem("malformed", said("problem.image.no_size_area"));
  return { upscale, ...read };
}

type Unmarked = SizeRequest extends infer S ? (S extends unknown ? Omit<S, "upscale"> : never) : never;

function readUnmarkedSize(text: string): Unmarked | null {
  if (text === "max") return { form: "max" };
  if (text.startsWith("pct:")) {
    return DECIMAL.test(text.slice(4)) ? { form: "pct", percent: Number(text.slice(4)) } : null;
  }
  const [, confined, width, height] = /^(!?)(\d{0,12}),(\d{0,12})$/.exec(text) ?? [];
  if (width === undefined || height === undefined || (width === "" && height === "")) return null;
  if (width !== "" && height !== "") {
    return { form: confined ? "confined" : "exact", width: Number(width), height: Number(height) };
  }
  if (confined) return null;
  return width === "" ? { form: "height", height: Number(height) } : { form: "width", width: Number(width) };
}

function readRotation(text: string): { mirror: boolean; rotation: number } {
  const mirror = text.startsWith("!");
  const degrees = mirror ? text.slice(1) : text;
  if (!DECIMAL.test(degrees) || Number(degrees) > 360) {
    throw wrong("rotation", text);
  }
  return { mirror, rotation: Number(degrees) % 360 };
}

function readQuality(text: string): { quality: Quality; format: Format } {
  const [, quality = "", format = ""] = /^([a-z]+)\.([a-z0-9]+)$/.exec(text) ?? [];
  if (!isQuality(quality)) throw wrong("quality", text, QUALITIES);
  if (NOT_MADE.includes(format)) {
    const formats = Object.keys(FORMATS).join(", ");
    throw new Problem("not_implemented", said("problem.image.format_not_made", { format, formats }));
  }
  if (!Object.hasOwn(FORMATS, format)) throw wrong("format", format, Object.keys(FORMATS));
  return { quality, format: format as Format };
}

function isQuality(text: string): text is Quality {
  return (QUALITIES as readonly string[]).includes(text);
}

function wrong(
  part: "region" | "size" | "rotation" | "quality" | "format",
  text: string,
  choices: readonly string[] = [],
): Problem {
  const value = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new Problem("malformed", said(`problem.image.bad_${part}`, { value, choices: choices.join(", ") }));
}
