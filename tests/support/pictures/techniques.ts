/** How a drawing of plain shapes becomes a painting, a print, a photograph: each technique works on its rasters. */
import {
  blend,
  blurred,
  type Chance,
  chance,
  clamp,
  colourAt,
  css,
  light,
  mix,
  noise,
  type Raster,
  type Rgb,
  raster,
  repaint,
  svg,
} from "./canvas.ts";

type Oil = { seed: number; brushes?: readonly number[]; liveliness?: number };

/** Oil paint: strokes along the forms, coarse ones first, finer ones where they were not enough; then the light on their ridges. */
export async function oil(
  drawing: string,
  { seed, brushes = [30, 15, 8, 4.5], liveliness = 1 }: Oil,
): Promise<Raster> {
  const wanted = await raster(drawing);
  const { width, height } = wanted;
  const next = chance(seed);
  let [paint, ridges] = ["", ""];
  let there: Raster | null = null;
  const rest = await blurred(wanted, 40);
  const ground = `<rect width="100%" height="100%" fill="${css(colourAt(rest, width / 2, height / 2))}"/>`;
  for (const brush of brushes) {
    const model = await blurred(wanted, Math.max(0.6, brush * 0.35));
    for (const [x, y] of spots(width, height, brush * 0.8, next)) {
      const colour = colourAt(model, x, y);
      if (there && distance(colourAt(there, x, y), colour) < 16 + brush * 0.5) continue;
      const path = along(model, x, y, brush, next);
      const shift = (next() - 0.5) * 16 * liveliness;
      const touched = colour.map((part) => part + shift + (next() - 0.5) * 9 * liveliness) as unknown as Rgb;
      const grey = 90 + next() * 90;
      const width_ = (brush * (0.8 + next() * 0.5)).toFixed(1);
      paint += `<path d="${path}" stroke="${css(touched)}" stroke-width="${width_}"/>`;
      ridges += `<path d="${path}" stroke="${css([grey, grey, grey])}" stroke-width="${width_}"/>`;
    }
    there = await raster(strokes(width, height, ground + paint));
  }
  const relief = await raster(
    strokes(width, height, `<rect width="100%" height="100%" fill="#888"/>${ridges}`),
    0.6,
  );
  const weave = noise(seed + 7);
  return repaint(there!, (old, x, y) => {
    const slope = colourAt(relief, x - 1, y - 1)[0] - colourAt(relief, x + 1, y + 1)[0];
    const thread = (Math.sin(x * 1.1) + Math.sin(y * 1.1)) * 1.6 + (weave(x / 90, y / 90) - 0.5) * 10;
    const lit = clamp(slope * 0.22, -14, 14) + thread;
    return [old[0] + lit, old[1] + lit, old[2] + lit];
  });
}

const strokes = (width: number, height: number, body: string): string =>
  svg(width, height, `<g fill="none" stroke-linecap="round" stroke-linejoin="round">${body}</g>`);

const distance = (one: Rgb, other: Rgb): number =>
  Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]);

/** Every place once, in no order that could be seen. */
function spots(width: number, height: number, step: number, next: Chance): [number, number][] {
  const all: [number, number][] = [];
  for (let y = 0; y < height + step; y += step)
    for (let x = 0; x < width + step; x += step)
      all.push([x + (next() - 0.5) * step, y + (next() - 0.5) * step]);
  for (let index = all.length - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1));
    [all[index], all[other]] = [all[other]!, all[index]!];
  }
  return all;
}

/** A stroke across the steepest change of tone; where there is none, it lies nearly level. */
function along(model: Raster, x: number, y: number, brush: number, next: Chance): string {
  let path = `M${x.toFixed(1)} ${y.toFixed(1)}`;
  let [atX, atY] = [x, y];
  const start = colourAt(model, x, y);
  let before = (next() - 0.5) * 0.7;
  for (let step = 0; step < 5; step++) {
    const dx = light(colourAt(model, atX + brush, atY)) - light(colourAt(model, atX - brush, atY));
    const dy = light(colourAt(model, atX, atY + brush)) - light(colourAt(model, atX, atY - brush));
    let angle = Math.hypot(dx, dy) > 0.03 ? Math.atan2(dx, -dy) : before;
    if (Math.cos(angle - before) < 0) angle += Math.PI;
    before = angle;
    atX += Math.cos(angle) * brush * 0.8;
    atY += Math.sin(angle) * brush * 0.8;
    if (distance(colourAt(model, atX, atY), start) > 60) break;
    path += `L${atX.toFixed(1)} ${atY.toFixed(1)}`;
  }
  return path.includes("L") ? path : `${path}l0.1 0`;
}

/** A colour for `woodcut`: how light the place is (0 to 1), and how its cuts lie (degrees, 0 to 180). */
export const cut = (tone: number, angle = 0): string => css([tone * 255, (angle % 180) * 1.4, 0]);
/** As `cut`, for places whose cuts follow `field`. */
export const carved = (tone: number): string => css([tone * 255, 0, 255]);

/** The sheet round the block, where nothing prints. */
export const MARGIN = css([255, 0, 128]);

type Woodcut = {
  seed: number;
  paper?: Rgb;
  ink?: Rgb;
  /** Pixels from cut to cut. */
  step?: number;
  /** Where cuts are not straight lines: those points are on one cut for which this is a multiple of `step`. */
  field?: (x: number, y: number) => number;
};

/** A woodcut: tone becomes cuts that swell and shrink; black keeps some grain of the plank, white some ridges that the gouge left. */
export async function woodcut(
  drawing: string,
  { seed, paper = [233, 222, 196], ink = [27, 24, 22], step = 11, field = (_x, y) => y }: Woodcut,
): Promise<Raster> {
  const model = await raster(drawing);
  const shake = noise(seed, 2);
  const grain = noise(seed + 3, 2);
  return repaint(model, ([tone255, turned, follows], x, y) => {
    if (follows > 120 && follows < 136) return paper;
    const tone = tone255 / 255;
    const angle = (turned / 1.4) * (Math.PI / 180);
    const u = follows > 128 ? field(x, y) : -x * Math.sin(angle) + y * Math.cos(angle);
    const v = follows > 128 ? x + y : x * Math.cos(angle) + y * Math.sin(angle);
    const at = u / step + (shake(x / 60, y / 60) - 0.5) * 0.9;
    const wave = Math.abs((at - Math.floor(at)) * 2 - 1);
    const chipped = (shake(v / 9 + Math.floor(at) * 17, Math.floor(at) * 5.3) - 0.5) * 0.34;
    const plank = grain(x / 240, y / 2.6);
    const bare =
      tone > 0.93 ? (wave < 0.16 && plank > 0.66 ? 0 : 1) : tone < 0.06 ? (plank > 0.83 ? 0.75 : 0) : 0.5;
    const white =
      bare === 0.5 ? clamp((tone + chipped * (1 - Math.abs(tone - 0.5)) - 1 + wave) * 7 + 0.5) : bare;
    return blend(paper, ink, 1 - white);
  });
}

type Photograph = {
  seed: number;
  dark: Rgb;
  bright: Rgb;
  grain?: number;
  vignette?: number;
  /** Specks, scratches and stains: 0 for none. */
  age?: number;
  blur?: number;
};

export const ALBUMEN = { dark: [52, 32, 22], bright: [240, 224, 190] } as const;
export const SILVER = { dark: [24, 23, 23], bright: [228, 224, 215] } as const;
export const PLATE = { dark: [17, 19, 22], bright: [222, 224, 220] } as const;
export const CYANOTYPE = { dark: [18, 46, 92], bright: [216, 228, 232] } as const;

/** A print or plate in one colour, with what lens, emulsion and years have done to it. */
export async function photograph(
  drawing: string,
  { seed, dark, bright, grain = 0.07, vignette = 0.35, age = 0.5, blur = 1.1 }: Photograph,
): Promise<Raster> {
  const model = await raster(drawing, blur);
  const [fine, clouds, spots] = [noise(seed), noise(seed + 1, 3), noise(seed + 2)];
  const { width, height } = model;
  return repaint(model, (old, x, y) => {
    const corner = Math.hypot((x / width - 0.5) * 1.15, (y / height - 0.5) * 1.15) * 1.35;
    let tone = light(old) + (fine(x / 1.7, y / 1.7) - 0.5) * grain * 2;
    tone += (clouds(x / 160, y / 160) - 0.5) * 0.14 * age;
    tone *= 1 - vignette * clamp(corner - 0.25) ** 1.6;
    if (spots(x / 5, y / 5) > 1 - 0.014 * age) tone = mix(tone, 0.95, 0.6);
    // the curve of an emulsion: soft at both ends
    const exposed = clamp((tone - 0.08) * 1.22);
    return blend(dark, bright, mix(exposed, exposed * exposed * (3 - 2 * exposed), 0.5));
  });
}

/** Grains of potato starch, orange, green and violet, over a soft colour picture. */
export async function autochrome(drawing: string, seed: number): Promise<Raster> {
  const model = await raster(drawing, 2);
  const next = noise(seed);
  const grains: readonly Rgb[] = [
    [255, 120, 60],
    [90, 200, 90],
    [110, 90, 235],
  ];
  return repaint(model, (old, x, y) => {
    const kind = grains[Math.floor(next(Math.floor(x / 2.4) * 7.31, Math.floor(y / 2.4) * 3.77) * 2.999)]!;
    const corner = clamp(Math.hypot(x / model.width - 0.5, y / model.height - 0.5) * 1.3 - 0.3);
    const shown = blend(
      old,
      [(old[0] * kind[0]) / 150, (old[1] * kind[1]) / 150, (old[2] * kind[2]) / 150],
      0.3,
    );
    return blend(shown, [14, 11, 10], 0.1 + corner * 0.6);
  });
}

type Dry = { seed: number; paper: Rgb; tooth?: number };

/** Chalk, charcoal or pencil: what is drawn holds only where the paper is rough. The drawing's own ground is its paper. */
export async function dry(drawing: string, { seed, paper, tooth = 0.5 }: Dry): Promise<Raster> {
  const model = await raster(drawing, 0.8);
  const [rough, fibres] = [noise(seed, 2), noise(seed + 1, 3)];
  return repaint(model, (old, x, y) => {
    const amount = clamp(distance(old, paper) / 380);
    const held = clamp((amount - tooth * rough(x / 2.1, y / 2.1)) * 3.2 + 0.15) * clamp(amount * 6);
    const far =
      amount === 0
        ? old
        : (old.map((part, at) => mix(paper[at]!, part, 1 / Math.max(amount, 0.35))) as unknown as Rgb);
    const ground = 0.96 + 0.05 * fibres(x / 70, y / 70) + (rough(x / 3, y / 1.2) - 0.5) * 0.07;
    return blend([paper[0] * ground, paper[1] * ground, paper[2] * ground], far, held * amount);
  });
}

/** Ink and colour on a sheet of some age: fibres, a little foxing, darker edges. */
export async function onPaper(drawing: string, seed: number, age = 1, blur = 0.5): Promise<Raster> {
  const model = await raster(drawing, blur);
  const [fibres, clouds, foxing] = [noise(seed, 2), noise(seed + 1, 3), noise(seed + 2, 2)];
  const { width, height } = model;
  return repaint(model, (old, x, y) => {
    const edge = Math.min(x, y, width - 1 - x, height - 1 - y) / 60;
    let ground =
      0.97 + 0.05 * (clouds(x / 150, y / 150) - 0.5) * 2 * age + (fibres(x / 3.4, y / 2.2) - 0.5) * 0.045;
    ground *= 1 - 0.14 * age * clamp(1 - edge) ** 2;
    const fox = clamp((foxing(x / 26, y / 26) - 0.84) * 5) * 0.4 * age;
    return blend([old[0] * ground, old[1] * ground, old[2] * ground], [150, 104, 60], fox);
  });
}

/** A thing before grey paper in the museum's own studio: next to no grain. */
export async function studio(drawing: string, seed: number, matter = 0.05): Promise<Raster> {
  const model = await raster(drawing, 0.7);
  const [fine, coarse] = [noise(seed, 2), noise(seed + 1, 3)];
  return repaint(model, (old, x, y) => {
    const shade = 1 + (fine(x / 2.2, y / 2.2) - 0.5) * matter + (coarse(x / 70, y / 70) - 0.5) * matter * 1.4;
    return [old[0] * shade, old[1] * shade, old[2] * shade];
  });
}
