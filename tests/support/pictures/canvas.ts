/** What every picture of the demo museum is made with: chance that is the same each time, rasters, and letters of lines. */
import sharp from "sharp";

export type Rgb = readonly [number, number, number];
export type Raster = { width: number; height: number; px: Uint8ClampedArray };
export type Chance = () => number;
export type Noise = (x: number, y: number) => number;

/** Numbers from 0 to below 1, the same ones for the same seed. */
export function chance(seed: number): Chance {
  let state = seed * 2654435761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function lattice(seed: number, x: number, y: number): number {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 1274126177);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

/** From 0 to 1, without edges; details get half as large with each octave. */
export function noise(seed: number, octaves = 1): Noise {
  const one = (x: number, y: number, salt: number) => {
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [smooth(x - x0), smooth(y - y0)];
    const at = (dx: number, dy: number) => lattice(seed + salt, x0 + dx, y0 + dy);
    return (at(0, 0) * (1 - u) + at(1, 0) * u) * (1 - v) + (at(0, 1) * (1 - u) + at(1, 1) * u) * v;
  };
  return (x, y) => {
    let [sum, weight, total] = [0, 1, 0];
    for (let octave = 0; octave < octaves; octave++) {
      sum += weight * one(x * 2 ** octave, y * 2 ** octave, octave * 101);
      total += weight;
      weight /= 2;
    }
    return sum / total;
  };
}

export const clamp = (value: number, least = 0, most = 1): number => Math.min(most, Math.max(least, value));
export const mix = (from: number, to: number, share: number): number => from + (to - from) * share;
export const blend = (from: Rgb, to: Rgb, share: number): Rgb => [
  mix(from[0], to[0], share),
  mix(from[1], to[1], share),
  mix(from[2], to[2], share),
];
export const light = ([r, g, b]: Rgb): number => (0.3 * r + 0.59 * g + 0.11 * b) / 255;
export const css = ([r, g, b]: Rgb): string => `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;

const DEFS = [1, 2, 4, 8, 16, 32]
  .map(
    (size) => `<filter id="b${size}" x="-50%" y="-50%" width="200%" height="200%">
    <feGaussianBlur stdDeviation="${size}"/></filter>`,
  )
  .concat(
    [2, 4, 8, 14].map(
      (size) => `<filter id="w${size}" x="-5%" y="-5%" width="110%" height="110%">
    <feTurbulence baseFrequency="${size > 6 ? 0.012 : 0.035}" numOctaves="3" seed="4"/>
    <feDisplacementMap in="SourceGraphic" scale="${size}" xChannelSelector="R" yChannelSelector="G"/></filter>`,
    ),
  )
  .join("");

/** `b1` to `b32` blur by so many pixels, `w2` to `w14` shake lines by so many. */
export function svg(width: number, height: number, body: string, defs = ""): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs>${DEFS}${defs}</defs>${body}</svg>`;
}

export function gradient(id: string, stops: readonly [number, string][], to = "x2='0' y2='1'"): string {
  const each = stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join("");
  return `<linearGradient id="${id}" x1="0" y1="0" ${to}>${each}</linearGradient>`;
}

export function glow(id: string, stops: readonly [number, string, number][], at = ""): string {
  const each = stops
    .map(
      ([offset, colour, opacity]) =>
        `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
    )
    .join("");
  return `<radialGradient id="${id}" ${at}>${each}</radialGradient>`;
}

/** From left to right, as light falls on what is round. */
export const across = (id: string, stops: readonly [number, string][]): string =>
  gradient(id, stops, "x2='1' y2='0'");

export async function raster(drawing: string, blur = 0): Promise<Raster> {
  let picture = sharp(Buffer.from(drawing), { unlimited: true }).removeAlpha();
  if (blur > 0) picture = picture.blur(blur);
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, px: new Uint8ClampedArray(data) };
}

export async function blurred({ width, height, px }: Raster, sigma: number): Promise<Raster> {
  const raw = { width, height, channels: 3 } as const;
  const data = await sharp(Buffer.from(px), { raw }).blur(sigma).raw().toBuffer();
  return { width, height, px: new Uint8ClampedArray(data) };
}

export function colourAt({ width, height, px }: Raster, x: number, y: number): Rgb {
  const at = 3 * (clamp(Math.round(y), 0, height - 1) * width + clamp(Math.round(x), 0, width - 1));
  return [px[at]!, px[at + 1]!, px[at + 2]!];
}

/** Gives every pixel a new colour. */
export function repaint(of: Raster, colour: (old: Rgb, x: number, y: number) => Rgb): Raster {
  const px = new Uint8ClampedArray(of.px.length);
  for (let y = 0, at = 0; y < of.height; y++) {
    for (let x = 0; x < of.width; x++, at += 3) {
      px.set(colour([of.px[at]!, of.px[at + 1]!, of.px[at + 2]!], x, y), at);
    }
  }
  return { ...of, px };
}

/** Strokes of capitals and figures on a grid of 4 × 6, as pairs of x and y. */
const STROKES: Record<string, string> = {
  ...{ A: "062046 1434", B: "06003041423303 3344453606", C: "4130100105163645", D: "06002042442606" },
  ...{ E: "40000646 0333", F: "400006 0333", G: "41301001051636454323", H: "0006 4046 0343", I: "2026" },
  ...{ J: "4045361605", K: "0006 4004 1346", L: "000646", M: "0600234046", N: "06004640" },
  ...{ O: "103041453616050110", P: "06003041423303", Q: "103041453616050110 2446" },
  ...{ R: "06003041423303 2346", S: "413010010213334445361605", T: "0040 2026", U: "000516364540" },
  ...{ V: "002640", W: "0016233640", X: "0046 4006", Y: "002340 2326", Z: "00400646" },
  ...{ "0": "103041453616050110", "1": "012026", "2": "01103041420646", "3": "01103041423323 334445361605" },
  ...{ "4": "36300444", "5": "400003334445361605", "6": "4130100105163645443303", "7": "004016" },
  ...{ "8": "103041423313020110 1304051636454433", "9": "4313020110304145361605" },
  ...{ Γ: "400006", Σ: "4000230646", Λ: "062046", ".": "2526", "·": "2324", "-": "1333", ",": "2517" },
};
const TWINS: Record<string, string> = {
  Α: "A",
  Ι: "I",
  Ο: "O",
  Ν: "N",
  Κ: "K",
  Υ: "Y",
  Ρ: "P",
  Ä: "A",
  Ö: "O",
  Ü: "U",
};

function glyph(letter: string): string {
  const strokes = STROKES[TWINS[letter] ?? letter] ?? "";
  const lines = strokes
    .split(" ")
    .map((line) => `M${line.replace(/(\d)(\d)/g, "$1 $2 L").replace(/L$/, "")}`);
  return (strokes ? lines.join("") : "") + ("ÄÖÜ".includes(letter) ? "M1 -1.6 L1 -1.3M3 -1.6 L3 -1.3" : "");
}

/** A line of letters `size` high, its top left corner at (x, y). `pen`: width of the stroke. */
export function letters(words: string, x: number, y: number, size: number, pen: number, ink: string): string {
  const unit = size / 6;
  const all = [...words]
    .map((letter, index) => `<path transform="translate(${index * 5.6},0)" d="${glyph(letter) || "M0 0"}"/>`)
    .join("");
  return `<g transform="translate(${x},${y}) scale(${unit})" fill="none" stroke="${ink}" stroke-width="${pen / unit}"
    stroke-linecap="round" stroke-linejoin="round">${all}</g>`;
}

export const lengthOf = (words: string, size: number): number => ([...words].length * 5.6 - 1.6) * (size / 6);

export const centred = (
  words: string,
  x: number,
  y: number,
  size: number,
  pen: number,
  ink: string,
): string => letters(words, x - lengthOf(words, size) / 2, y, size, pen, ink);

/** Letters round a centre, their feet towards it; begins at `from` degrees, 0 at the top, clockwise. */
export function round(
  words: string,
  at: { x: number; y: number; radius: number; from: number; to: number },
  size: number,
  pen: number,
  ink: string,
): string {
  const all = [...words];
  const step = (at.to - at.from) / Math.max(1, all.length - 1);
  return all
    .map(
      (letter, index) => `<g transform="translate(${at.x},${at.y}) rotate(${at.from + index * step})
        translate(${-size / 3},${-at.radius})">${letters(letter, 0, 0, size, pen, ink)}</g>`,
    )
    .join("");
}

/** A line that looks written from afar. */
export function scrawl(x: number, y: number, width: number, size: number, seed: number, ink: string): string {
  const next = chance(seed);
  let path = "";
  for (let at = x; at < x + width; at += size * 0.9) {
    const word = Math.min(x + width - at, size * (2 + next() * 5));
    path += `M${at.toFixed(1)} ${y}`;
    for (const end = at + word; at < end; at += size * 0.42) {
      const tall = next();
      const up = tall > 0.84 ? -1.7 : tall < 0.1 ? 1.2 : -0.36 - next() * 0.3;
      path += `q${(size * 0.24).toFixed(1)} ${(size * up).toFixed(1)} ${(size * 0.21).toFixed(1)} ${(-size * 0.05 + next() * 2).toFixed(1)}`;
      path += `t${(size * 0.21).toFixed(1)} ${(next() * 2 - 1).toFixed(1)}`;
    }
  }
  return `<path d="${path}" fill="none" stroke="${ink}" stroke-width="${size * 0.075}" stroke-linecap="round"/>`;
}
