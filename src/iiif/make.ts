/** The image for a request: a tile of the pyramid, a cached image, or a new one. */

import { said } from "../messages/said.ts";
import { Problem } from "../problem.ts";
import type { Picture } from "../records/media/pictures.ts";
import type { ImageOrder, Services } from "../services.ts";
import { canonicalOf } from "./canonical.ts";
import type { Plan } from "./geometry.ts";
import { type Asking, costOf, createLanes } from "./lanes.ts";
import { checkAgain } from "./pending.ts";
import { levelFor } from "./pyramid.ts";
import { createPyramids, type Levels } from "./pyramids.ts";
import { createSingleFlight } from "./single-flight.ts";

type Made = { bytes: number; content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> };

type Maker = (picture: Picture, plan: Plan, asking: Asking) => Promise<Made>;

/** How often an image is made again if it is evicted before it can be read, because the cache is too small. */
const MOST_TRIES = 3;

export function createMaker(services: Services): Maker {
  const { images } = services;
  const pyramids = createPyramids(services);
  const share = createSingleFlight<Uint8Array<ArrayBuffer> | null>();
  const lanes = createLanes();

  return async (picture, plan, asking) => {
    const levels = await pyramids.levels(picture);
    const tile = levels && (await pyramids.tile(levels, plan));
    if (tile) return { bytes: tile.length, content: tile };
    const name = `${picture.id}/${picture.sha256}/${canonicalOf(plan, picture)}`;
    const { order, decoded } = orderOf(picture, plan, levels);
    const make = () =>
      share(name, asking.signal, async (stop) => {
        // another request may have finished it since this one looked
        const finished = await images.kept(name);
        if (finished) return wholeOf(finished);
        stop.throwIfAborted();
        return images.render(name, order, stop);
      });
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await images.kept(name);
      if (kept) return kept;
      const made = await lanes
        .take(costOf(plan, decoded), asking, make)
        .catch((error) => explain(services, picture, order, asking, error));
      if (made) return { bytes: made.length, content: made };
    }
    throw new Problem("unavailable", said("problem.image.not_cached"));
  };
}

/** Null if it is so large that each request reads it for itself. */
async function wholeOf({ content }: Made): Promise<Uint8Array<ArrayBuffer> | null> {
  if (content instanceof Uint8Array) return content;
  await content.cancel();
  return null;
}

/** `decoded`: pixels that are read. If `region` is null, the decoder can skip details that will not be visible. */
function orderOf(
  picture: Picture,
  plan: Plan,
  levels: Levels | null,
): { order: ImageOrder; decoded: number } {
  const { page, region, whole, key } = sourceOf(picture, plan, levels);
  const isWhole = region.width === whole.width && region.height === whole.height;
  // only a pyramid can be read in parts
  const read = levels === null ? whole : region;
  return {
    order: { ...plan, key, page, region: isWhole ? null : region },
    decoded: read.width * read.height,
  };
}

function sourceOf(picture: Picture, plan: Plan, levels: Levels | null) {
  if (levels === null) return { key: picture.storage_key, page: 0, region: plan.region, whole: picture };
  const { page, region } = levelFor(plan, levels.directories);
  return { key: levels.file.key, page, region, whole: levels.directories[page]! };
}

/** Throws a Problem. If the file is there, lets the job check whether it can be decoded at all. */
async function explain(
  { sql, files }: Services,
  { id }: Picture,
  { key }: ImageOrder,
  { signal }: Asking,
  error: unknown,
): Promise<never> {
  if (error instanceof Problem) throw error;
  if (signal.aborted) throw new Problem("unavailable", said("problem.image.unwanted"));
  if (await files.stat(key).catch(() => null)) await checkAgain(sql, id);
  throw new Problem("unavailable", said("problem.image.unreadable"), {
    cause: error,
  });
}
