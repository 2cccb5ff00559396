/** Uploads pictures with known pixels, and reads the images that the service makes of them. */
import sharp from "sharp";
import type { Services } from "../../../src/services.ts";
import { prepareImages } from "../../../workers/prepare-images.ts";
import { newObject, send } from "./media.ts";
import type { Ask } from "./museum.ts";

/** The side of the coloured squares in a picture, in pixels. */
const SQUARE = 100;

export type Rgb = readonly [red: number, green: number, blue: number];

/** The colour of a square: different from its neighbours, also when the picture is mirrored or turned. */
export const colourAt = (x: number, y: number): Rgb => {
  const [column, row] = [Math.floor(x / SQUARE), Math.floor(y / SQUARE)];
  return [(column * 67 + 30) % 256, (row * 89 + 60) % 256, ((column + 2 * row) * 47) % 256];
};

export function squares(width: number, height: number) {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), (y * width + x) * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The id of the picture; its object is public unless `fields` say otherwise. */
export async function hang(
  editor: Ask,
  bytes: Uint8Array,
  filename: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const object = await newObject(editor);
  const sent = await send(editor, object, bytes, filename, fields);
  if (sent.status !== 201) throw new Error(`${sent.status} ${await sent.text()}`);
  const published = await editor(`/v1/objects/${object}/publish`, { method: "POST" });
  if (published.status !== 200) throw new Error(`${published.status} ${await published.text()}`);
  return ((await sent.json()) as { media_id: string }).media_id;
}

/** Does the work of the job. */
export async function prepared(services: Services): Promise<Record<string, unknown>> {
  return prepareImages({
    services,
    id: crypto.randomUUID(),
    params: {},
    signal: new AbortController().signal,
    report: async () => undefined,
    remember: async () => undefined,
    log: services.log,
  });
}

export type Pixels = { width: number; height: number; at(x: number, y: number): number[] };

export async function pixelsOf(answer: Response | Uint8Array): Promise<Pixels> {
  if (answer instanceof Response && answer.status !== 200)
    throw new Error(`${answer.status} ${await answer.text()}`);
  const bytes = answer instanceof Response ? new Uint8Array(await answer.arrayBuffer()) : answer;
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return {
    width,
    height,
    at: (x, y) => [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)],
  };
}

/** The distance between two colours, in the channel where it is greatest. */
export const difference = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...other.map((value, channel) => Math.abs(value - (one[channel] ?? Number.NaN))));
