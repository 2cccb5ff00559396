/** Converts measurements from one unit to another: `29 5/8 in.` is 75.25 cm. */
import { normalised } from "../../text.ts";

/** `size`: in millimetres or milligrams. `words`: ways to write the unit after a number. */
const UNITS = {
  mm: { kind: "length", size: 1, words: ["mm"] },
  cm: { kind: "length", size: 10, words: ["cm"] },
  m: { kind: "length", size: 1000, words: ["m"] },
  in: { kind: "length", size: 25.4, words: ["in", "inch", "inches", '"', "″"] },
  ft: { kind: "length", size: 304.8, words: ["ft", "foot", "feet", "'", "′"] },
  g: { kind: "weight", size: 1000, words: ["g"] },
  kg: { kind: "weight", size: 1_000_000, words: ["kg"] },
  oz: { kind: "weight", size: 28_349.523125, words: ["oz", "ounce", "ounces"] },
  lb: { kind: "weight", size: 453_592.37, words: ["lb", "lbs", "pound", "pounds"] },
} as const;

type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as [Unit, ...Unit[]];

export const isAlike = (from: Unit, to: Unit): boolean => UNITS[from].kind === UNITS[to].kind;

/** A number, possibly with decimals after a point or comma, or a fraction; then possibly the unit. */
const WRITTEN = /^(?:(\d+(?:[.,]\d+)?)|(?:(\d+) )?(\d+)\/(\d+))(?: ?(\p{L}+|["″'′])\.?)?$/u;
/** `1,200` may be thousands or decimals. */
const THOUSANDS = /^[1-9]\d*[.,]\d{3}(?!\d)/;

/** Converts a number from the unit `from` to the unit `to`; null if the text is anything else. */
export function converted(text: string, from: Unit, to: Unit, decimals: number): string | null {
  const plain = normalised(text.replace(/(\d)([¼-¾⅐-⅞])/g, "$1 $2"), "NFKC")
    .replaceAll("⁄", "/")
    .replace(/\s+/g, " ")
    .trim();
  const [, decimal, whole = "0", over, under, unit] = WRITTEN.exec(plain) ?? [];
  if ((decimal ?? over) === undefined || THOUSANDS.test(plain)) return null;
  const words: readonly string[] = UNITS[from].words;
  if (unit !== undefined && !words.includes(unit.toLowerCase())) return null;
  const number =
    decimal === undefined ? Number(whole) + Number(over) / Number(under) : Number(decimal.replace(",", "."));
  if (!Number.isFinite(number)) return null;
  return String(Number(((number * UNITS[from].size) / UNITS[to].size).toFixed(decimals)));
}
