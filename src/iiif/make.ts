/** The image for a request: a tile of the pyramid, a cached image, or a new one. */
import { createTurns, type TurnLimits } from "../http/turns.ts";
import type { Picture } from "../media/pictures.ts";
import { Problem } from "../problem.ts";
import type { ImageOrder, Services } from "../services.ts";
import { canonicalOf } from "./canonical.ts";
import { createFlights } from "./flights.ts";
import type { Plan } from "./geometry.ts";
import { levelFor } from "./pyramid.ts";
import { createPyramids, type Levels } from "./pyramids.ts";

type Made = { bytes: number; content: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> };

/** `who`: the client, whose requests wait for each other. */
type Asking = { who: string; signal: AbortSignal };

type Maker = (picture: Picture, plan: Plan, asking: Asking) => Promise<Made>;

/** One image may use all memory of a small machine, and a viewer requests dozens at once. */
const LIMITS: TurnLimits = {
  working: 2,
  workingEach: 2,
  waiting: 200,
  waitingEach: 100,
  patienceMs: 60_000,
  longestMs: 120_000,
};
const WORDS = {
  full: "Too many images are being made at the moment",
  late: "This image takes too long at the moment; request a smaller one, or try again later",
};

/** How often an image is made again if it is evicted before it can be read, because the cache is too small. */
const MOST_TRIES = 3;

export function createMaker(services: Services): Maker {
  const { images } = services;
  const pyramids = createPyramids(services);
  const share = createFlights<Uint8Array<ArrayBuffer> | null>();
  const turns = createTurns(LIMITS, WORDS);

  return async (picture, plan, { who, signal }) => {
    const levels = await pyramids.levels(picture);
    const tile = levels && (await pyramids.tile(levels, plan));
    if (tile) return { bytes: tile.length, content: tile };
    const name = `${picture.id}/${picture.sha256}/${canonicalOf(plan, picture)}`;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const kept = await images.kept(name);
      if (kept) return kept;
      const made = await share(name, signal, async (stop) => {
        // another request may have finished it since this one looked
        const finished = await images.kept(name);
        if (finished) return wholeOf(finished);
        return turns.take(who, async () => {
          stop.throwIfAborted();
          return images.render(name, orderOf(picture, plan, levels), stop);
        });
      }).catch(throwInWords);
      if (made) return { bytes: made.length, content: made };
    }
    throw new Problem("unavailable", "This image could not be cached; try again");
  };
}

/** Null if it is so large that each request reads it for itself. */
async function wholeOf({ content }: Made): Promise<Uint8Array<ArrayBuffer> | null> {
  if (content instanceof Uint8Array) return content;
  await content.cancel();
  return null;
}

/** The whole page is requested, so the decoder can skip details that will not be visible. */
function orderOf(picture: Picture, plan: Plan, levels: Levels | null): ImageOrder {
  const { region: _, ...rest } = plan;
  if (levels === null) {
    const isWhole = plan.region.width === picture.width && plan.region.height === picture.height;
    return { ...rest, key: picture.storage_key, page: 0, region: isWhole ? null : plan.region };
  }
  const { page, region } = levelFor(plan, levels.directories);
  const level = levels.directories[page]!;
  const isWhole = region.width === level.width && region.height === level.height;
  return { ...rest, key: levels.file.key, page, region: isWhole ? null : region };
}

function throwInWords(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem("unavailable", "This picture cannot be shown: its file is missing or cannot be read", {
    cause: error,
  });
}
