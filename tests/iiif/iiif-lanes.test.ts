/** Images in two lanes: nobody who looks at tiles and thumbnails waits for dear images of others. */
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { plan } from "../../src/iiif/geometry.ts";
import { costOf } from "../../src/iiif/lanes.ts";
import { readRequest } from "../../src/iiif/request.ts";
import type { ImageOrder, Services } from "../../src/services.ts";
import { jpeg } from "../support/museum/media.ts";
import { museumHere } from "../support/museum/museum.ts";
import { hang, prepared } from "../support/museum/pictures.ts";

const WIDTH = 2_600;
const HEIGHT = 2_000;
const BYSTANDER = "192.0.2.9";

const museum = await museumHere();
const id = await hang(await museum.as("editor"), await jpeg(WIDTH, HEIGHT), "harbour.jpg");
beforeAll(async () => {
  await prepared(museum.services);
});

type Asked = { remote: string; signal?: AbortSignal };

/** A service whose images are finished when the test says so. */
function serviceByHand() {
  const begun: ImageOrder[] = [];
  const ends: (() => void)[] = [];
  const images: Services["images"] = {
    ...museum.services.images,
    kept: async () => null,
    render: (_, order) =>
      new Promise((resolve) => {
        begun.push(order);
        ends.push(() => resolve(new Uint8Array([1])));
      }),
  };
  const { app } = createApp({ ...museum.services, images });
  const answered: string[] = [];
  return {
    begun,
    answered,
    /** Finishes the image that was begun as the n-th. */
    end: (n: number) => ends[n]!(),
    ask: async (path: string, { remote, signal }: Asked) => {
      const answer = await app.request(`/iiif/3/${id}/${path}`, signal ? { signal } : {}, { remote });
      answered.push(path);
      return answer.status;
    },
  };
}

const rotation = (n: number) => `full/%5E2200,2200/7.${n + 1}/default.png`;
const TILE = "512,512,300,300/300,/0/default.jpg";
const THUMBNAIL = "full/240,/0/default.jpg";

const ATTACKERS: readonly [string, (n: number) => string][] = [
  ["one address", () => "198.51.100.7"],
  ["the addresses of one household", (n) => `2001:db8:0:7::${n + 1}`],
];

describe("beside ten dear images of one visitor", () => {
  it.each(ATTACKERS)("from %s, a tile and a thumbnail are begun at once", async (_, from) => {
    const { ask, begun, answered, end } = serviceByHand();
    const dear = Array.from({ length: 10 }, (_, n) => ask(rotation(n), { remote: from(n) }));
    await expect.poll(() => begun.length).toBe(1);
    const bystander = [TILE, THUMBNAIL].map((path) => ask(path, { remote: BYSTANDER }));
    await expect.poll(() => begun.length).toBe(3);
    end(1);
    end(2);
    expect(await Promise.all(bystander)).toEqual([200, 200]);
    expect(answered.sort()).toEqual([TILE, THUMBNAIL].sort());
    await finishAll(dear, begun, end);
  });

  it.each(ATTACKERS)("from %s, a dear one of somebody else comes third at the latest", async (_, from) => {
    const { ask, begun, end } = serviceByHand();
    const dear = Array.from({ length: 10 }, (_, n) => ask(rotation(n), { remote: from(n) }));
    await expect.poll(() => begun.length).toBe(1);
    const own = ask("full/max/0/default.png", { remote: BYSTANDER });
    await setTimeout(50);
    for (const n of [0, 1]) {
      end(n);
      await expect.poll(() => begun.length).toBe(n + 2);
    }
    expect(begun.map(({ format, rotation: by }) => [format, by > 0])[2]).toEqual(["png", false]);
    expect((await finishAll([...dear, own], begun, end)).at(-1)).toBe(200);
  });

  it("nothing waits any more once the visitor has left, but what was begun", async () => {
    const { ask, begun, end } = serviceByHand();
    const gone = new AbortController();
    const left = [...Array(10).keys()].map((n) =>
      ask(rotation(n), { remote: "198.51.100.7", signal: gone.signal }),
    );
    await expect.poll(() => begun.length).toBe(1);
    const logged = museum.log.length;
    gone.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set([503]));
    // the service knows that nobody is there: it is no failure
    expect(museum.log.slice(logged).filter((line) => line.includes('"error"'))).toEqual([]);
    const own = ask("full/max/0/default.png", { remote: BYSTANDER });
    end(0);
    await expect.poll(() => begun.length).toBe(2);
    end(1);
    expect(await own).toBe(200);
    await setTimeout(20);
    expect(begun.length).toBe(2);
  });

  it("those beyond the budget of the visitor are refused, and when to ask again is said", async () => {
    const { ask, begun, end } = serviceByHand();
    const dear = Array.from({ length: 30 }, (_, n) => ask(rotation(n), { remote: "198.51.100.7" }));
    const first = await Promise.race(dear);
    expect([first, begun.length]).toEqual([503, 1]);
    const tile = ask(TILE, { remote: "198.51.100.7" });
    await expect.poll(() => begun.length).toBe(2);
    end(1);
    expect(await tile).toBe(200);
    const statuses = await finishAll(dear, begun, end);
    const made = statuses.filter((status) => status === 200).length;
    expect(made).toBeGreaterThan(4);
    expect(made).toBeLessThan(20);
  });
});

/** Finishes images until all are answered. */
async function finishAll(
  asked: readonly Promise<number>[],
  begun: readonly ImageOrder[],
  end: (n: number) => void,
): Promise<number[]> {
  let over = false;
  const all = Promise.all(asked).finally(() => {
    over = true;
  });
  while (!over) {
    for (const n of begun.keys()) end(n);
    await setTimeout(1);
  }
  return all;
}

describe("the cost of an image", () => {
  const photograph = { width: 4_000, height: 3_000 };
  const cost = (path: string, decoded: number) => {
    const [region, size, turned, quality] = path.split("/") as [string, string, string, string];
    const planned = plan(readRequest({ region, size, rotation: turned, quality }), photograph);
    return costOf(planned, decoded) / 1_000_000;
  };

  it("is small for tiles, thumbnails and a photograph as a JPEG, and large for all that takes long", () => {
    for (const path of [
      "512,512,512,512/512,512/0/default.jpg",
      "full/400,/0/default.jpg",
      "square/90,/0/gray.png",
    ])
      expect(cost(path, 1_000_000), path).toBeLessThan(4);
    expect(cost("full/max/0/default.jpg", 12_000_000)).toBeLessThanOrEqual(25);
    for (const path of [
      "full/max/0/default.png",
      "full/max/0/default.tif",
      "full/max/0/default.webp",
      "full/^max/0/default.jpg",
      "full/^3500,3500/7.1/default.jpg",
      "10,10,9,9/^3500,3500/0/default.jpg",
    ])
      expect(cost(path, 1_000_000), path).toBeGreaterThan(50);
  });

  it("counts what must be decoded: a thumbnail of a vast picture without a pyramid is dear", () => {
    expect(cost("full/400,/0/default.jpg", 900_000_000)).toBeGreaterThan(900);
  });
});
