/**
 * Draws the pictures of the demo museum again: `npx tsx tests/support/pictures/draw.ts [NAME…]`. Each is as good as fits into
 * its share of the repository.
 */
import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import type { Raster } from "./canvas.ts";
import { DRAWINGS } from "./drawings.ts";
import { PAINTINGS } from "./paintings.ts";
import { PHOTOGRAPHS } from "./photographs.ts";
import { PRINTS } from "./prints.ts";
import { THINGS } from "./things.ts";

const PICTURES = { ...PAINTINGS, ...PRINTS, ...PHOTOGRAPHS, ...DRAWINGS, ...THINGS };
const HOME = new URL("../../../cli/demo/media/", import.meta.url);
const MOST_BYTES = 25_000;
/** Black and paper and little between: four colours, each pixel as it is, take less room than blurred ones. */
const TWO_TONES = ["fog-signal", "smokehouse-at-four", "observatory-closed", "ten-harbour-sheets-title"];

async function flat({ width, height, px }: Raster): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  const few = await sharp(Buffer.from(px), { raw }).png({ palette: true, colours: 4, dither: 0 }).toBuffer();
  return sharp(few).webp({ lossless: true, effort: 6 }).toBuffer();
}

async function small({ width, height, px }: Raster): Promise<Buffer> {
  let file: Buffer | null = null;
  const raw = { width, height, channels: 3 } as const;
  for (const scale of [1, 0.82, 0.7]) {
    for (const quality of [80, 70, 60, 50, 42, 36]) {
      const picture = sharp(Buffer.from(px), { raw }).resize(Math.round(width * scale));
      file = await picture.webp({ quality, effort: 5 }).toBuffer();
      if (file.length <= MOST_BYTES) return file;
    }
  }
  return file!;
}

const wanted = process.argv.slice(2);
for (const [name, draw] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.some((each) => name.startsWith(each))) continue;
  const file = await (TWO_TONES.includes(name) ? flat : small)(await draw());
  await writeFile(new URL(`${name}.webp`, HOME), file);
  console.log(`${name}.webp ${file.length}`);
}
